package dev.heddle.conformance.kernels;

import static dev.heddle.conformance.kernels.HopperFrame.COUNTERS;
import static dev.heddle.conformance.kernels.HopperFrame.MEETING;
import static dev.heddle.conformance.kernels.HopperKernel.BOXES;
import static dev.heddle.conformance.kernels.HopperKernel.BOX_COLUMNS;
import static dev.heddle.conformance.kernels.HopperKernel.BOX_ROWS;
import static dev.heddle.conformance.kernels.HopperKernel.COLUMNS;
import static dev.heddle.conformance.kernels.HopperKernel.REGION;
import static dev.heddle.conformance.kernels.HopperKernel.REGIONS;
import static dev.heddle.conformance.kernels.HopperKernel.SUM;
import static dev.heddle.conformance.kernels.HopperKernel.THREADS;

import java.util.List;
import java.util.random.RandomGenerator;

/// Writes the text of a random Hopper kernel.
///
/// All threads of all blocks run one script. The writer knows which regions of shared memory an
/// operation still reads or writes, and draws no step that would touch them; what is left to an
/// order that nothing fixes commutes.
final class HopperWriter {
    /// Reductions into global memory, each with an area of its own, as all blocks take part.
    static final List<String> REDUCTIONS =
            List.of("add.u32", "min.u32", "max.s32", "and.b32", "or.b32", "xor.b32", "add.u64");

    private static final int STEPS = 14;
    private static final int UNIT = 16;

    private final RandomGenerator random;
    private final int cluster;
    private final StringBuilder text = new StringBuilder();
    private final WgmmaWriter products;
    private final HopperRegions regions;
    private int labels;
    private int boxes;

    // By barrier: the parity of its phase.
    private final int[] parity = new int[COUNTERS + 1];

    HopperWriter(RandomGenerator random, int cluster) {
        this.random = random;
        this.cluster = cluster;
        products = new WgmmaWriter(random, this::line);
        regions = new HopperRegions(random);
    }

    String write() {
        for (int i = 0; i < STEPS; i++) {
            step();
        }
        for (int barrier = 0; barrier < COUNTERS; barrier++) {
            await(barrier);
        }
        line("@%one cp.async.bulk.commit_group;");
        line("@%one cp.async.bulk.wait_group 0;");
        meetAll();
        return new HopperFrame(cluster).around(text);
    }

    private void step() {
        switch (random.nextInt(14)) {
            case 0, 1 -> load();
            case 2, 3 -> loadTensor();
            case 4 -> passOn();
            case 5 -> storeRemotely();
            case 6 -> reduceRemotely();
            case 7 -> await(random.nextInt(COUNTERS));
            case 8, 9 -> compute();
            case 10, 11 -> multiply();
            case 12 -> storeOut();
            default -> exchange();
        }
    }

    // Phases.

    /// Threads of the block, or of the cluster, have done what they did before, through either
    /// proxy.
    private void meet(boolean remote) {
        line("fence.proxy.async;");
        if (remote && cluster > 1) {
            line("barrier.cluster.arrive.release.aligned;");
            line("barrier.cluster.wait.acquire.aligned;");
            line("fence.proxy.async;");
        } else {
            line("bar.sync 0;");
        }
    }

    private void meetAll() {
        meet(true);
    }

    private void expect(int barrier, int bytes) {
        if (random.nextInt(4) == 0) {
            line(
                    "@%%one mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%%b+%d], %d;"
                            .formatted(8 * barrier, bytes));
            line("@%%one mbarrier.arrive.shared::cta.b64 _, [%%b+%d];".formatted(8 * barrier));
        } else {
            line(
                    "@%%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%b+%d], %d;"
                            .formatted(8 * barrier, bytes));
        }
    }

    private void await(int barrier) {
        if (regions.isIdle(barrier)) {
            return;
        }
        boolean remote = regions.isRemote(barrier);
        spin(barrier, remote ? ".acquire.cluster" : "");
        regions.ended(barrier);
        if (remote) {
            meetAll();
        }
    }

    private void spin(int barrier, String order) {
        int label = labels++;
        text.append("WAIT").append(label).append(":\n");
        line(
                "mbarrier.try_wait.parity%s.shared::cta.b64 %%q, [%%b+%d], %d;"
                        .formatted(order, 8 * barrier, parity[barrier]));
        line("@!%%q bra WAIT%d;".formatted(label));
        parity[barrier] ^= 1;
    }

    private int size() {
        return UNIT * (1 + random.nextInt(64));
    }

    private int offset(int bytes) {
        return UNIT * random.nextInt((REGION - bytes) / UNIT + 1);
    }

    // Copies.

    private void load() {
        int region = regions.free();
        int barrier = regions.idle();
        if (region < 0 || barrier < 0) {
            return;
        }
        int bytes = size();
        int second = random.nextBoolean() ? size() : 0;
        boolean multicast = cluster > 1 && random.nextInt(3) == 0;
        meet(multicast);
        expect(barrier, bytes + second);
        int target = REGION * region + offset(bytes + second);
        copy(target, bytes, barrier, multicast);
        if (second > 0) {
            copy(target + bytes, second, barrier, multicast);
        }
        regions.began(barrier, region, region, multicast);
    }

    private void copy(int target, int bytes, int barrier, boolean multicast) {
        int source = UNIT * random.nextInt(1024 - 128);
        if (multicast) {
            line("setp.eq.and.u32 %%q, %%rank, %d, %%one;".formatted(random.nextInt(cluster)));
        }
        line(
                "@%s cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes%s [%%t+%d], [%%own+%d], %d, [%%b+%d]%s;"
                        .formatted(
                                multicast ? "%q" : "%one",
                                multicast ? ".multicast::cluster" : "",
                                target,
                                source,
                                bytes,
                                8 * barrier,
                                multicast ? ", %all" : ""));
    }

    private void loadTensor() {
        int region = regions.free();
        int barrier = regions.idle();
        if (region < 0 || barrier < 0) {
            return;
        }
        int map = random.nextInt(3);
        int bytes = map == 0 ? 2048 : 1024;
        boolean multicast = cluster > 1 && random.nextInt(3) == 0;
        meet(multicast);
        expect(barrier, bytes);
        if (multicast) {
            line("setp.eq.and.u32 %%q, %%rank, %d, %%one;".formatted(random.nextInt(cluster)));
        }
        line("add.u32 %%x, %%cta, %d;".formatted(random.nextInt(80) - 20));
        line(
                "@%s cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes%s [%%t+%d], [%%map%d, {%d, %%x}], [%%b+%d]%s;"
                        .formatted(
                                multicast ? "%q" : "%one",
                                multicast ? ".multicast::cluster" : "",
                                REGION * region + 1024 * random.nextInt(map == 0 ? 3 : 4),
                                map,
                                4 * (random.nextInt(20) - 4),
                                8 * barrier,
                                multicast ? ", %all" : ""));
        regions.began(barrier, region, region, multicast);
    }

    /// Each block copies a region to the next block's shared memory.
    private void passOn() {
        int target = regions.free();
        int barrier = regions.idle();
        if (target < 0 || barrier < 0) {
            return;
        }
        int source = (target + 1 + random.nextInt(REGIONS - 1)) % REGIONS;
        if (!regions.isFree(source)) {
            return;
        }
        int bytes = size();
        meetAll();
        expect(barrier, bytes);
        neighbour(random.nextInt(cluster));
        line(
                "@%%one cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%%rt+%d], [%%t+%d], %d, [%%rb+%d];"
                        .formatted(
                                REGION * target + offset(bytes),
                                REGION * source + offset(bytes),
                                bytes,
                                8 * barrier));
        regions.began(barrier, target, source, true);
    }

    /// Addresses in the shared memory of a block of the cluster.
    ///
    /// @param ahead how many ranks; 0 is the own one
    private void neighbour(int ahead) {
        line("add.u32 %%x, %%rank, %d;".formatted(ahead));
        line("and.b32 %%x, %%x, %d;".formatted(cluster - 1));
        line("mapa.shared::cluster.u32 %rt, %t, %x;");
        line("mapa.shared::cluster.u32 %rb, %b, %x;");
    }

    private void storeRemotely() {
        int region = regions.free();
        int barrier = regions.idle();
        if (cluster == 1 || region < 0 || barrier < 0) {
            return;
        }
        int words = 1 << random.nextInt(3);
        meetAll();
        expect(barrier, THREADS * words * Integer.BYTES);
        neighbour(random.nextInt(cluster));
        line("mad.lo.u32 %%x, %%tx, %d, %%rt;".formatted(words * Integer.BYTES));
        String values = String.join(", ", List.of("%h", "%tx", "%rank", "%h").subList(0, words));
        line(
                "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes%s.b32 [%%x+%d], %s, [%%rb+%d];"
                        .formatted(
                                words == 1 ? "" : ".v" + words,
                                REGION * region + 2048 * random.nextInt(2),
                                words == 1 ? values : "{" + values + "}",
                                8 * barrier));
        regions.began(barrier, region, region, true);
    }

    private void reduceRemotely() {
        int region = regions.free();
        int barrier = regions.idle();
        if (cluster == 1 || region < 0 || barrier < 0) {
            return;
        }
        String operation =
                List.of("add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32")
                        .get(random.nextInt(6));
        meetAll();
        expect(barrier, THREADS * Integer.BYTES);
        neighbour(1 + random.nextInt(cluster - 1));
        line("and.b32 %%x, %%tx, %d;".formatted((1 << random.nextInt(8)) - 1));
        line("mad.lo.u32 %x, %x, 4, %rt;");
        line(
                "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.%s [%%x+%d], %%h, [%%rb+%d];"
                        .formatted(operation, REGION * region, 8 * barrier));
        regions.began(barrier, region, region, true);
    }

    /// A region, or a part of it, leaves for global memory.
    private void storeOut() {
        int region = regions.free();
        if (region < 0) {
            return;
        }
        meet(false);
        switch (random.nextInt(3)) {
            case 0 -> {
                int area = random.nextInt(REDUCTIONS.size());
                int bytes = UNIT * (1 + random.nextInt(SUM / UNIT));
                line(
                        "@%%one cp.reduce.async.bulk.global.shared::cta.bulk_group.%s [%%sums+%d], [%%t+%d], %d;"
                                .formatted(
                                        REDUCTIONS.get(area),
                                        SUM * area,
                                        REGION * region + offset(bytes),
                                        bytes));
            }
            case 1 -> storeBox("cp.async.bulk.tensor.2d.global.shared::cta.tile", region);
            default ->
                    storeBox("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile", region);
        }
        line("@%one cp.async.bulk.commit_group;");
        regions.leaves(region);
        if (random.nextBoolean()) {
            line("@%one cp.async.bulk.wait_group.read 0;");
            line("bar.sync 0;");
            regions.left();
        }
    }

    /// Each box of each block has rows of its own.
    private void storeBox(String opcode, int region) {
        if (boxes == BOXES) {
            return;
        }
        line("mad.lo.u32 %%x, %%cta, %d, %d;".formatted(BOXES * BOX_ROWS, BOX_ROWS * boxes++));
        line(
                "@%%one %s.bulk_group [%%map3, {%d, %%x}], [%%t+%d];"
                        .formatted(
                                opcode,
                                BOX_COLUMNS * random.nextInt(COLUMNS / BOX_COLUMNS),
                                REGION * region + 1024 * random.nextInt(4)));
    }

    // Threads.

    /// Every thread changes words of its own in a region.
    private void compute() {
        int region = regions.free();
        if (region < 0) {
            return;
        }
        meet(false);
        line("xor.b32 %%x, %%tx, %d;".formatted(random.nextInt(THREADS)));
        line("mad.lo.u32 %x, %x, 4, %t;");
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            int at = REGION * region + THREADS * Integer.BYTES * random.nextInt(8);
            line("ld.shared.b32 %%y, [%%x+%d];".formatted(at));
            line(
                    List.of(
                                    "mad.lo.u32 %h, %h, 1664525, %y;",
                                    "xor.b32 %h, %h, %y;", "shf.l.wrap.b32 %h, %h, %y, 7;")
                            .get(random.nextInt(3)));
            line("st.shared.b32 [%%x+%d], %%h;".formatted(at));
        }
        line("bar.sync 0;");
    }

    private void multiply() {
        int a = regions.free();
        int b = regions.free();
        if (a < 0 || b < 0) {
            return;
        }
        meet(false);
        products.group(REGION * a, REGION * b);
        line("bar.sync 0;");
    }

    /// Threads read what others wrote: in the block, by the two halves of an mbarrier; or in the
    /// cluster.
    private void exchange() {
        int region = regions.free();
        if (region < 0) {
            return;
        }
        int at = REGION * region + THREADS * Integer.BYTES * random.nextInt(8);
        boolean remote = random.nextBoolean();
        meet(remote);
        line("mad.lo.u32 %x, %tx, 4, %t;");
        line("st.shared.b32 [%%x+%d], %%h;".formatted(at));
        line("xor.b32 %%y, %%tx, %d;".formatted(random.nextInt(THREADS)));
        if (remote) {
            meetAll();
            neighbour(random.nextInt(cluster));
            line("mad.lo.u32 %y, %y, 4, %rt;");
            line("ld.shared::cluster.b32 %%y, [%%y+%d];".formatted(at));
        } else {
            line("mbarrier.arrive.shared::cta.b64 _, [%%b+%d];".formatted(8 * MEETING));
            line("add.u32 %h, %h, 0x9e3779b9;");
            spin(MEETING, "");
            line("mad.lo.u32 %y, %y, 4, %t;");
            line("ld.shared.b32 %%y, [%%y+%d];".formatted(at));
        }
        line("mad.lo.u32 %h, %h, 22695477, %y;");
        meet(remote);
    }

    private void line(String instruction) {
        text.append("    ").append(instruction).append('\n');
    }
}
