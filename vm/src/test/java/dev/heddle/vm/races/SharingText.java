package dev.heddle.vm.races;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Shape;
import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Random programs as PTX.
final class SharingText {
    /// The mbarrier object that all arrive at.
    private static final int OBJECT = 8;

    /// Where bulk copies go, and the objects of the threads that begin them.
    private static final int COPIED = 64;

    private static final int OBJECTS = 128;

    /// Where global memory begins that is shared beside copies.
    private static final int GLOBAL = 192;

    private static final String BEFORE_COPIES =
            """
            mov.u32 %r17, 0;
            st.shared.v4.u32 [%r3+64], {%r17, %r17, %r17, %r17};
            st.shared.v4.u32 [%r3+80], {%r17, %r17, %r17, %r17};
            """
                    + objects()
                    + "fence.proxy.async;\n";

    private static final String MEETING =
            """
            barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
            """;

    private SharingText() {}

    /// Where the bytes that are shared begin.
    private static int base(Shape shape) {
        return shape.copies() ? COPIED : 0;
    }

    /// Where an object is.
    private static int object(int object) {
        return OBJECTS + 8 * object;
    }

    /// Four on a line.
    private static String objects() {
        return IntStream.range(0, SharingProgram.OBJECTS)
                .mapToObj(
                        each ->
                                "mbarrier.init.shared.b64 [%%r3+%d], %d;%s"
                                        .formatted(
                                                object(each),
                                                SharingProgram.arrivals(each),
                                                each % 4 == 3 ? "\n" : " "))
                .collect(Collectors.joining());
    }

    /// A program as PTX.
    ///
    /// @param text of the module
    /// @param slots by line, those that stand there
    record Text(String text, TreeMap<Integer, Integer> slots) {}

    static Text of(SharingProgram program) {
        Shape shape = program.shape();
        List<Slot> slots = program.slots();
        StringBuilder text =
                new StringBuilder(
                        """
                        .version 8.6
                        .target sm_90
                        .address_size 64
                        .visible .entry k(.param .u64 out)
                        """
                                + (shape.cluster() > 1
                                        ? ".explicitcluster .reqnctapercluster %d, 1, 1\n"
                                                .formatted(shape.cluster())
                                        : "")
                                + """
                                {
                                .reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .b16 %h<3>; .reg .pred %p<9>;
                                .shared .align 16 .b8 tile[256];
                                ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %laneid;
                                mov.u32 %r3, tile; shr.u32 %r4, %r1, 5; mov.u32 %r15, %ctaid.x;
                                """
                                + " mad.lo.u32 %%r6, %%r15, %d, %%r4; mad.lo.u32 %%r5, %%r6, 2, %%r2;%n"
                                        .formatted(shape.warps())
                                + """
                                setp.gt.u32 %p1, %r2, 1; selp.u32 %r5, 31, %r5, %p1;
                                mad.lo.u32 %r7, %r4, 4, %r3;
                                setp.ne.u32 %p1, %r1, 0; mov.u64 %rd2, -1; mov.u32 %r8, 2;
                                @%p1 bra BEGIN;
                                st.shared.u64 [%r3], %rd2; mbarrier.init.shared.b64 [%r3+8], %r8;
                                """
                                + (shape.copies() ? BEFORE_COPIES : "")
                                + """
                                BEGIN: st.shared.u32 [%r7+16], %r8;
                                bar.sync 0;
                                """
                                + (shape.distributed() ? MEETING : ""));
        int line = (int) text.chars().filter(c -> c == '\n').count() + 1;
        TreeMap<Integer, Integer> lines = new TreeMap<>();
        for (int i = 0; i < slots.size(); i++) {
            Slot slot = slots.get(i);
            for (String each : lines(shape, slot, i)) {
                boolean prepares = each.startsWith(" ");
                if (!prepares) {
                    lines.put(line, i);
                }
                text.append(each).append('\n');
                line++;
            }
        }
        // Nobody may leave while others still use its memory.
        text.append(shape.distributed() ? MEETING : "").append("ret;\n}\n");
        return new Text(text.toString(), lines);
    }

    private static List<String> lines(Shape shape, Slot slot, int index) {
        List<String> lines = new ArrayList<>();
        lines.add(
                " mov.u32 %%r9, %d; shr.u32 %%r9, %%r9, %%r5; and.b32 %%r9, %%r9, 1; setp.ne.u32 %%p2, %%r9, 0;"
                        .formatted(slot.actors()));
        switch (slot.operation()) {
            case Operation.Memory memory -> {
                lines.add(value(memory.value()));
                if (shape.distributed() && memory.rank() != SharingProgram.GLOBAL) {
                    lines.add(place(memory.rank()));
                }
                lines.add("@%p2 " + instruction(shape, memory));
            }
            case Operation.Fence(MemoryOrder order, String scope, FenceEffect effect) -> {
                String name = order.name().toLowerCase(Locale.ROOT);
                lines.add(
                        "@%p2 fence."
                                + switch (effect) {
                                    case ANY -> name + "." + scope + ";";
                                    case MBARRIER_INIT -> "mbarrier_init.release.cluster;";
                                    case SHARED_CTA, SHARED_CLUSTER -> name + restriction(effect);
                                });
            }
            case Operation.CtaBarrier _ -> lines.add("bar.sync 0;");
            case Operation.ClusterBarrier _ -> {
                lines.add("barrier.cluster.arrive.aligned;");
                lines.add("barrier.cluster.wait.aligned;");
            }
            case Operation.ClusterArrive(String order) ->
                    lines.add("barrier.cluster.arrive%s.aligned;".formatted(order));
            case Operation.ClusterWait _ -> lines.add("barrier.cluster.wait.acquire.aligned;");
            case Operation.HandOver(int number, int from, int to, boolean both) -> {
                lines.add(
                        " setp.eq.u32 %%p3, %%r4, %d; setp.eq.u32 %%p4, %%r4, %d;"
                                .formatted(from, to));
                lines.add("@%%p3 bar.%s %d, 64;".formatted(both ? "sync" : "arrive", number));
                lines.add("@%%p4 bar.sync %d, 64;".formatted(number));
            }
            case Operation.WarpBarrier _ -> {
                int lanes =
                        slot.actors() >>> 2 * (Integer.numberOfTrailingZeros(slot.actors()) / 2)
                                & 3;
                lines.add("@%%p2 bar.warp.sync %d;".formatted(lanes));
            }
            case Operation.Yield _ -> {
                int warps = 0;
                for (int warp = 0; warp < shape.ctas() * shape.warps(); warp++) {
                    warps |= (slot.actors() >>> 2 * warp & 3) != 0 ? 1 << warp : 0;
                }
                lines.add(
                        " mov.u32 %%r11, %d; shr.u32 %%r11, %%r11, %%r6; and.b32 %%r11, %%r11, 1; setp.eq.u32 %%p5, %%r11, 0;"
                                .formatted(warps));
                lines.add(" mov.u32 %%r12, 0; @%%p5 bra OVER%d;".formatted(index));
                lines.add(
                        " LOOP%d: ld.volatile.shared.u32 %%r13, [%%r7+16]; add.u32 %%r12, %%r12, 1; setp.lt.u32 %%p6, %%r12, %d; @%%p6 bra LOOP%d;"
                                .formatted(index, shape.isGrid() ? 300 : 64, index));
                lines.add(" OVER%d:".formatted(index));
            }
            case Operation.Arrive(int rank) -> {
                if (shape.distributed()) {
                    lines.add(place(rank));
                    lines.add(
                            "@%%p2 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%%r19+%d];"
                                    .formatted(OBJECT));
                } else {
                    lines.add("@%%p2 mbarrier.arrive.shared.b64 _, [%%r3+%d];".formatted(OBJECT));
                }
            }
            case Operation.TestWait(int parity) ->
                    lines.add(
                            "@%%p2 mbarrier.test_wait.parity%s.shared.b64 %%p7, [%%r3+%d], %d;"
                                    .formatted(
                                            shape.distributed() ? ".acquire.cluster" : "",
                                            OBJECT,
                                            parity));
            case Operation.Copy(int at, boolean isSpread, boolean isJoint, boolean commits) -> {
                if (isSpread) {
                    lines.add(" mad.lo.u32 %r18, %r2, 4, %r3;");
                }
                lines.add(
                        " mul.wide.u32 %rd5, %r5, "
                                + (isJoint ? 0 : 4)
                                + "; add.u64 %rd5, %rd5, %rd1;");
                String from =
                        shape.writesSources()
                                ? "%rd5+" + (GLOBAL + Operation.Copy.source(0))
                                : "%rd1";
                lines.add(
                        "@%%p2 cp.async.ca.shared.global [%s+%d], [%s], 4;"
                                .formatted(isSpread ? "%r18" : "%r3", base(shape) + at, from));
                if (commits) {
                    lines.add(" @%p2 cp.async.commit_group;");
                }
            }
            case Operation.CopyWait _ -> lines.add("@%p2 cp.async.wait_all;");
            case Operation.CopyGroupWait(int pending) ->
                    lines.add("@%%p2 cp.async.wait_group %d;".formatted(pending));
            case Operation.HandCopies(int object, boolean counts) ->
                    lines.add(
                            "@%%p2 cp.async.mbarrier.arrive%s.shared.b64 [%%r3+%d];"
                                    .formatted(counts ? ".noinc" : "", object(object)));
            case Operation.ArriveAt(int rank, int object, boolean isRelaxed) -> {
                lines.add(place(rank));
                lines.add(
                        "@%%p2 mbarrier.arrive%s _, [%%r%d+%d];"
                                .formatted(
                                        isRelaxed
                                                ? ".relaxed.cluster.shared::cluster.b64"
                                                : shape.distributed()
                                                        ? ".release.cluster.shared::cluster.b64"
                                                        : ".shared.b64",
                                        shape.distributed() ? 19 : 3,
                                        object(object)));
            }
            case Operation.ProxyFence(MemoryOrder order) ->
                    lines.add(
                            "@%p2 fence.proxy.async"
                                    + switch (order) {
                                        case ACQUIRE ->
                                                "::generic.acquire"
                                                        + restriction(FenceEffect.SHARED_CLUSTER);
                                        case RELEASE ->
                                                "::generic.release"
                                                        + restriction(FenceEffect.SHARED_CTA);
                                        default -> ";";
                                    });
            case Operation.Expect(int object, int bytes) ->
                    lines.add(
                            "@%%p2 mbarrier.arrive.expect_tx%s.shared.b64 _, [%%r3+%d], %d;"
                                    .formatted(
                                            shape.distributed() ? ".release.cluster" : "",
                                            object(object),
                                            bytes));
            case Operation.StoreAsync(int rank, int at, int object, int value) -> {
                lines.add(value(value));
                lines.add(place(rank));
                lines.add(
                        "@%%p2 st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%%r19+%d], %%r10, [%%r19+%d];"
                                .formatted(base(shape) + at, object(object)));
            }
            case Operation.ReduceAsync(int rank, int at, int object, int value) -> {
                lines.add(value(value));
                lines.add(place(rank));
                lines.add(
                        "@%%p2 red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.or.b32 [%%r19+%d], %%r10, [%%r19+%d];"
                                .formatted(base(shape) + at, object(object)));
            }
            case Operation.Multicast(int ranks, int at, int object) -> {
                lines.add(" mov.u16 %%h1, %d;".formatted(ranks));
                lines.add(
                        "@%%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%%r3+%d], [%%rd1+192], 16, [%%r3+%d], %%h1;"
                                .formatted(base(shape) + at, object(object)));
            }
            case Operation.BulkLoad(int at, int object, int from) ->
                    lines.add(
                            "@%%p2 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%%r3+%d], [%%rd1+%d], 16, [%%r3+%d];"
                                    .formatted(base(shape) + at, GLOBAL + from, object(object)));
            case Operation.BulkSend(int rank, int at, int from, int object, String reduction) -> {
                lines.add(place(rank));
                lines.add(
                        "@%%p2 cp%s.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes%s [%%r19+%d], [%%r3+%d], 16, [%%r19+%d];"
                                .formatted(
                                        reduction.isEmpty() ? "" : ".reduce",
                                        reduction,
                                        base(shape) + at,
                                        base(shape) + from,
                                        object(object)));
            }
            case Operation.Await(int object, int parity, boolean isRelaxed) ->
                    lines.add(
                            "@%%p2 mbarrier.test_wait.parity%s.shared.b64 %%p7, [%%r3+%d], %d;"
                                    .formatted(
                                            isRelaxed
                                                    ? ".relaxed.cluster"
                                                    : shape.distributed() ? ".acquire.cluster" : "",
                                            object(object),
                                            parity));
            case Operation.BulkStore(int at, int to, boolean reduces, boolean commits) -> {
                lines.add(" mul.wide.u32 %rd5, %r5, 16; add.u64 %rd5, %rd5, %rd1;");
                String place = to == Operation.BulkStore.OWN ? "%rd5+64" : "%rd1+" + (GLOBAL + to);
                lines.add(
                        "@%%p2 cp%s.async.bulk.global.shared::cta.bulk_group%s [%s], [%%r3+%d], 16;"
                                .formatted(
                                        reduces ? ".reduce" : "",
                                        reduces ? ".add.u32" : "",
                                        place,
                                        base(shape) + at));
                if (commits) {
                    lines.add(" @%p2 cp.async.bulk.commit_group;");
                }
            }
            case Operation.BulkWait(boolean read) ->
                    lines.add("@%%p2 cp.async.bulk.wait_group%s 0;".formatted(read ? ".read" : ""));
        }
        return lines;
    }

    private static String value(int value) {
        return " add.u32 %%r10, %%r5, %d; mul.lo.u32 %%r10, %%r10, 0x01010101; mov.b64 %%rd3, {%%r10, %%r10};"
                .formatted(value);
    }

    private static String restriction(FenceEffect effect) {
        return ".sync_restrict::shared::%s.cluster;"
                .formatted(effect == FenceEffect.SHARED_CTA ? "cta" : "cluster");
    }

    /// Where the shared memory of a CTA of the cluster is.
    private static String place(int rank) {
        return " mapa.shared::cluster.u32 %%r19, %%r3, %d;".formatted(rank);
    }

    private static String instruction(Shape shape, Operation.Memory memory) {
        boolean weak = memory.order() == MemoryOrder.WEAK;
        String order =
                weak
                        ? ""
                        : "."
                                + memory.order().name().toLowerCase(Locale.ROOT)
                                + "."
                                + memory.scope();
        String type = ".b" + 8 * memory.bytes();
        boolean isGlobal = shape.isGlobal() || memory.rank() == SharingProgram.GLOBAL;
        String space = isGlobal ? "global" : shape.distributed() ? "shared::cluster" : "shared";
        String from = isGlobal ? "%rd1" : shape.distributed() ? "%r19" : "%r3";
        int base = !isGlobal ? base(shape) : shape.copies() ? GLOBAL : 0;
        String place = "[%s+%d]".formatted(from, base + memory.at());
        String value = memory.bytes() == 8 ? "%rd3" : "%r10";
        String target = memory.bytes() == 8 ? "%rd4" : "%r14";
        if (memory.reads() && memory.writes()) {
            return memory.returns()
                    ? "atom%s.%s.exch%s %s, %s, %s;"
                            .formatted(order, space, type, target, place, value)
                    : "red%s.%s.or%s %s, %s;".formatted(order, space, type, place, value);
        }
        return memory.reads()
                ? "ld%s.%s%s %s, %s;".formatted(order, space, type, target, place)
                : "st%s.%s%s %s, %s;".formatted(order, space, type, place, value);
    }
}
