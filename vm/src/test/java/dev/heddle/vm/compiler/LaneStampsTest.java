package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.tensorcore.x86.Processor;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.KernelLaunch;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Observer;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.ir.Extent;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Random;

/// Accesses to global memory whose lanes go anywhere, in the machine code of warps with checks,
/// beside the interpreter: findings, warnings and memory are the same, whatever is wrong.
@DisplayName("Machine code looks at global memory lane by lane as the interpreter does")
final class LaneStampsTest {
    private static final int CTAS = 4;
    private static final int THREADS = 64;
    private static final int WORDS = 4096;

    /// %rd1 a buffer that is written, %rd2 one that is not; %rd7 and %rd4 the first words of the
    /// thread in them, 16 and 64 bytes for each thread of the grid; %r4 the warp, %r5 the CTA; %rd9
    /// the thread's word of a row of all.
    ///
    /// Java takes each access once before machine code does: `%p3` holds in the first two CTAs.
    private static String module(String body) {
        return CheckedWarps.module(
                """
                mov.u32 %r5, %r2;
                shr.u32 %r4, %r1, 5;
                mul.wide.u32 %rd3, %r6, 64;
                add.u64 %rd4, %rd2, %rd3;
                mul.wide.u32 %rd8, %r6, 16;
                add.u64 %rd7, %rd1, %rd8;
                add.u64 %rd7, %rd7, 12288;
                setp.eq.u32 %p2, %r4, 0;
                setp.lt.u32 %p3, %r5, 2;
                setp.eq.u32 %p5, %r5, 2;
                setp.eq.u32 %p6, %r5, 0;
                setp.eq.u32 %p7, %r6, 137;
                mul.wide.u32 %rd9, %r6, 4;
                add.u64 %rd9, %rd9, %rd2;
                add.u64 %rd9, %rd9, 16384;
                """,
                body + "st.global.b32 [%rd4+60], %r10;");
    }

    private static Launch launch(int threads) {
        return Launch.of(
                new Extent(CTAS, 1, 1),
                new Extent(threads, 1, 1),
                Argument.buffer("in", new byte[4 * WORDS]),
                Argument.poison("out", 8 * WORDS));
    }

    private static Outcome agree(String body) {
        return CheckedWarps.agree(module(body), launch(THREADS), List.of("in", "out"));
    }

    /// A word of a sector for each lane: the thread's, one of eight rows as a fragment has them,
    /// one of its own for each, the same for all.
    private static final String THREAD = "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd6, %rd1, %rd5;";

    private static final String FRAGMENT =
            "shr.u32 %r20, %r3, 2; and.b32 %r21, %r3, 3; mad.lo.u32 %r20, %r20, 16, %r21;"
                    + "mul.wide.u32 %rd5, %r20, 4; add.u64 %rd6, %rd1, %rd5;";
    private static final String SAME = "mov.u64 %rd6, %rd1;";

    /// A byte of a row of all threads, and `%rd9` a word of those of the first warp.
    private static final String BYTES =
            "cvt.u64.u32 %rd5, %r6; add.u64 %rd6, %rd2, %rd5; add.u64 %rd6, %rd6, 24576;"
                    + "mul.wide.u32 %rd9, %r2, 64; add.u64 %rd9, %rd2, %rd9;"
                    + "add.u64 %rd9, %rd9, 24576;";

    private static final String LOAD = "ld.global.b32 %r14, [%rd6]; xor.b32 %r10, %r10, %r14;";
    private static final String STORE = "st.global.b32 [%rd6], %r10;";

    @ParameterizedTest
    @ValueSource(
            strings = {
                THREAD + LOAD + "ld.global.b32 %r15, [%rd6+4];",
                FRAGMENT + LOAD + "ld.global.nc.b32 %r15, [%rd6+16];",
                "st.global.b32 [%rd7], %r10; ld.global.nc.b32 %r10, [%rd7+8];",
                FRAGMENT
                        + "shl.b64 %rd5, %rd5, 1; add.u64 %rd6, %rd1, %rd5;"
                        + "ld.global.v2.b32 {%r14,%r15}, [%rd6+32];",
                SAME + LOAD + "ld.global.v4.b32 {%r14,%r15,%r16,%r17}, [%rd6];",
                "@%p1 ld.global.b32 %r14, [%rd4+56]; st.global.b32 [%rd4], %r11;",
                "st.global.v4.b32 [%rd4], {%r10,%r11,%r12,%r13};"
                        + "ld.global.v2.b32 {%r14,%r15}, [%rd4+8]; st.global.b32 [%rd4+8], %r14;",
                "st.global.b64 [%rd4+16], %rd12; st.global.b32 [%rd4+24], %r11; bar.sync 0;"
                        + "ld.global.v2.b32 {%r14,%r15}, [%rd4+16];",
                // Words of a warp that another reads behind a barrier, and of one that it wrote.
                "@%p2 st.global.b32 [%rd4], %r10; bar.sync 0;"
                        + "@!%p2 ld.global.b32 %r14, [%rd4+-2048];",
                FRAGMENT + "selp.b64 %rd6, %rd6, %rd7, %p5;" + LOAD + "bar.sync 0; @%p2 " + STORE,
                "ld.global.b32 %r14, [%rd1]; bar.warp.sync -1;"
                        + "mul.wide.u32 %rd5, %r5, 0; add.u64 %rd6, %rd1, %rd5;"
                        + LOAD,
                // Bytes and pairs of them: rows of all threads, and of some.
                BYTES + "st.global.b8 [%rd6], %r10; bar.sync 0; ld.global.u8 %r14, [%rd6];",
                BYTES
                        + "st.global.b8 [%rd6], %r10; ld.global.u8 %r14, [%rd6]; bar.sync 0;"
                        + "@%p2 ld.global.b32 %r14, [%rd9];",
                "mul.wide.u32 %rd5, %r6, 2; add.u64 %rd6, %rd2, %rd5; add.u64 %rd6, %rd6, 24576;"
                        + "@%p1 st.global.b16 [%rd6+4], %r10; @%p1 ld.global.s16 %r14, [%rd6+4];",
                "cvt.u64.u32 %rd5, %r6; add.u64 %rd6, %rd1, %rd5; ld.global.u8 %r14, [%rd6];"
                        + "ld.global.v2.u16 {%r15,%r16}, [%rd7];"
                        + THREAD
                        + LOAD,
            })
    @DisplayName("what is in order")
    void inOrder(String body) {
        assertThat(agree(body).findings()).isEmpty();
    }

    /// Later CTAs go to where %rd6 says, the first two each to its own words.
    private static final String LATE = "selp.b64 %rd6, %rd7, %rd6, %p3;";

    private static final String EARLY = "selp.b64 %rd6, %rd6, %rd7, %p3;";

    /// Where the first CTA goes, and all but the first.
    private static final String FIRST = "selp.b64 %rd6, %rd6, %rd7, %p6;";

    private static final String REST = "selp.b64 %rd6, %rd7, %rd6, %p6;";

    @ParameterizedTest
    @ValueSource(
            strings = {
                // By another CTA: what several or one have read, as a whole and in parts.
                THREAD + FIRST + LOAD + THREAD + REST + STORE,
                FRAGMENT + FIRST + LOAD + FRAGMENT + REST + STORE,
                THREAD + FIRST + LOAD + FRAGMENT + REST + STORE,
                THREAD + FIRST + STORE + FRAGMENT + REST + STORE,
                THREAD + FIRST + STORE + FRAGMENT + REST + LOAD,
                THREAD + LOAD + LATE + STORE,
                FRAGMENT + LOAD + LATE + STORE,
                FRAGMENT + EARLY + LOAD + FRAGMENT + LATE + STORE,
                THREAD + EARLY + LOAD + FRAGMENT + LATE + STORE,
                FRAGMENT + EARLY + LOAD + THREAD + LATE + STORE,
                FRAGMENT + LOAD + "selp.b64 %rd6, %rd6, %rd7, %p5;" + STORE,
                // What another wrote.
                FRAGMENT + EARLY + STORE + FRAGMENT + LATE + LOAD,
                THREAD + EARLY + STORE + FRAGMENT + LATE + LOAD,
                FRAGMENT + EARLY + STORE + THREAD + LATE + LOAD,
                FRAGMENT + EARLY + STORE + FRAGMENT + LATE + STORE,
                // By another warp, by a lane of the same, and behind a barrier.
                FRAGMENT + "selp.b64 %rd6, %rd6, %rd7, %p5;" + LOAD + "@%p2 " + STORE,
                FRAGMENT + "selp.b64 %rd6, %rd6, %rd7, %p5;" + LOAD + "@!%p2 " + STORE,
                FRAGMENT
                        + "selp.b64 %rd6, %rd6, %rd7, %p5;"
                        + LOAD
                        + "bar.warp.sync -1; @%p2 "
                        + STORE,
                FRAGMENT
                        + "selp.b64 %rd6, %rd6, %rd7, %p5;"
                        + LOAD
                        + "bar.warp.sync -1; @!%p2 "
                        + STORE,
                "ld.global.b32 %r14, [%rd7]; selp.b64 %rd6, %rd7, %rd1, %p3;" + STORE,
                "ld.global.b32 %r14, [%rd7]; add.u64 %rd6, %rd7, 16;"
                        + LATE
                        + LOAD
                        + "st.global.b32"
                        + " [%rd7], %r11;",
                // Bytes of a word that different lanes wrote.
                BYTES + "st.global.b8 [%rd6], %r10; @%p2 st.global.b32 [%rd9], %r11;",
                BYTES
                        + "st.global.b8 [%rd6], %r10; bar.sync 0;"
                        + "@!%p2 ld.global.b32 %r14, [%rd9]; xor.b32 %r10, %r10, %r14;"
                        + "st.global.b8 [%rd6], %r11;",
                BYTES + "st.global.b8 [%rd6], %r10; ld.global.u8 %r14, [%rd6+1];",
                BYTES + "@!%p7 st.global.b8 [%rd6], %r10; ld.global.u8 %r10, [%rd6];",
                // What a load that is not coherent reads was written.
                "st.global.v4.b32 [%rd7], {%r11,%r12,%r13,%r11};"
                        + "selp.b64 %rd6, %rd1, %rd7, %p3; ld.global.nc.b32 %r10, [%rd6+8];",
                // Nobody wrote it; out of bounds; not aligned.
                "st.global.b32 [%rd4], %r11; add.u64 %rd6, %rd4, 4;"
                        + "selp.b64 %rd6, %rd4, %rd6, %p3; ld.global.b32 %r10, [%rd6];",
                "st.global.v2.b32 [%rd4], {%r11,%r12}; add.u64 %rd6, %rd4, 8;"
                        + "selp.b64 %rd6, %rd4, %rd6, %p3; ld.global.v2.b32 {%r10,%r11}, [%rd6];",
                "@!%p7 st.global.b32 [%rd9], %r11; ld.global.b32 %r10, [%rd9];",
                "add.u64 %rd6, %rd7, 8;" + LATE + "ld.global.v4.b32 {%r10,%r11,%r12,%r13}, [%rd6];",
                "add.u64 %rd6, %rd7, 8192;" + LATE + LOAD,
                "add.u64 %rd6, %rd7, 65536;" + LATE + STORE,
                "add.u64 %rd6, %rd7, 2;" + LATE + LOAD,
                "add.u64 %rd6, %rd7, 2;" + LATE + STORE,
            })
    @DisplayName("what is not")
    void notInOrder(String body) {
        assertThat(agree(body).findings()).hasSize(1);
    }

    /// A word of each lane, for both CTAs of a cluster of two; `%p7` holds in the first of them,
    /// `%p8` in the other, in one warp each.
    private static final String PAIR =
            "shr.u32 %r20, %r5, 1; mad.lo.u32 %r20, %r20, 64, %r3; mul.wide.u32 %rd5, %r20, 4;"
                    + "add.u64 %rd6, %rd1, %rd5; and.b32 %r21, %r5, 1;"
                    + "setp.eq.and.u32 %p7, %r21, 0, %p2; setp.ne.and.u32 %p8, %r21, 0, %p2;";

    private static final String IN_FIRST =
            "@%p7 ld.global.b32 %r14, [%rd6]; @%p7 xor.b32 %r10, %r10, %r14;";

    private static final String IN_OTHER =
            "@%p8 ld.global.b32 %r14, [%rd6]; @%p8 xor.b32 %r10, %r10, %r14;";

    private static final String MEET = "barrier.cluster.arrive; barrier.cluster.wait;";

    private static Outcome agreeInClusters(String body) {
        String text =
                module(PAIR + body)
                        .replace("sm_80", "sm_90")
                        .replace(".u64 out)", ".u64 out) .reqnctapercluster 2");
        return CheckedWarps.agree(text, launch(THREADS), List.of("in", "out"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                LOAD + MEET + "@%p7 " + STORE,
                LOAD + MEET + "@%p8 " + STORE + MEET + LOAD,
                "@%p7 " + STORE + MEET + LOAD,
                "@%p8 " + STORE + MEET + "@%p7 " + STORE + MEET + LOAD,
            })
    @DisplayName("what CTAs of a cluster do in order")
    void inOrderInClusters(String body) {
        assertThat(agreeInClusters(body).findings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Both have read it before; one reads it again beside the other's store.
                LOAD + MEET + IN_FIRST + "@%p8 " + STORE,
                LOAD + MEET + IN_OTHER + "@%p7 " + STORE,
                IN_FIRST + "@%p8 " + STORE,
                // Both read it; the second then stores there.
                "@%p2 ld.global.b32 %r14, [%rd6]; @%p2 xor.b32 %r10, %r10, %r14; @%p8 " + STORE,
                "@%p7 " + STORE + IN_OTHER,
                "@%p7 " + STORE + "@%p8 " + STORE,
            })
    @DisplayName("and what not")
    void notInOrderInClusters(String body) {
        assertThat(agreeInClusters(body).findings()).hasSize(1);
    }

    /// The first kernel writes all words of a row but the ninth; of the second, one CTA reads
    /// others, and one reads that.
    @ParameterizedTest
    @ValueSource(strings = {THREAD, FRAGMENT + "add.u64 %rd6, %rd6, 32;"})
    @DisplayName("a word that an earlier launch did not write, among others")
    void unwritten(String address) {
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
        String text =
                module(
                                address.replace("%rd1", "%rd2")
                                        + """
                                        add.u64 %rd10, %rd6, 512;
                                        selp.b64 %rd6, %rd6, %rd10, %p5;
                                        @%p2 ld.global.b32 %r10, [%rd6];
                                        add.u64 %rd4, %rd3, %rd1;
                                        """)
                        + """
                        .visible .entry write(.param .u64 in, .param .u64 out)
                        {
                            .reg .pred %p<2>;
                            .reg .b32 %r<2>;
                            .reg .b64 %rd<4>;
                            ld.param.u64 %rd1, [out];
                            mov.u32 %r1, %tid.x;
                            mul.wide.u32 %rd2, %r1, 4;
                            add.u64 %rd3, %rd1, %rd2;
                            setp.ne.u32 %p1, %r1, 9;
                            mov.u32 %r1, %ctaid.x;
                            setp.eq.and.u32 %p1, %r1, 0, %p1;
                            @%p1 st.global.b32 [%rd3], %r1;
                            ret;
                        }
                        """;
        List<Kernel> kernels =
                Kernel.of(BoundModule.of(Ptx.parse(text, "k.ptx")), List.of("write", "k"));
        List<KernelLaunch> launches =
                List.of(
                        new KernelLaunch(kernels.get(0), launch(4 * THREADS).withThreads(1)),
                        new KernelLaunch(kernels.get(1), launch(THREADS).withThreads(1)));
        Outcome expected = Machine.interpreter().run(launches, Observer.NONE);
        Outcome found = Machine.compiler(new Compilations(0)).run(launches, Observer.NONE);
        assertThat(expected.findings()).hasSize(1);
        assertThat(found.findings().toString()).isEqualTo(expected.findings().toString());
    }

    @Test
    @DisplayName("random kernels")
    void random() {
        CheckedWarps.random("laneStamps", random -> agree(body(random)));
    }

    private static String body(Random random) {
        StringBuilder text = new StringBuilder();
        int steps = 3 + random.nextInt(8);
        // Most kernels read one buffer, and each thread writes its own.
        boolean isWild = random.nextInt(3) == 0;
        for (int i = 0; i < steps; i++) {
            if (random.nextInt(4) == 0) {
                text.append("bar.sync 0;\n");
            }
            boolean store = random.nextInt(3) == 0;
            boolean isAnywhere = isWild && random.nextInt(3) == 0;
            int size = 1 << random.nextInt(5);
            boolean isOwn = store && !isAnywhere;
            if (size < 4 && !isAnywhere && random.nextBoolean()) {
                text.append(row(size, store ? 2 : 1));
                String guard = guard(random);
                text.append(guard).append(access(random, store, size, 0)).append('\n');
                if (store) {
                    int offset = random.nextInt(8) == 0 ? size : 0;
                    text.append(guard).append(access(random, false, size, offset)).append('\n');
                }
            } else {
                text.append(isOwn ? "mov.u64 %rd6, %rd4;\n" : address(random, size, isAnywhere));
                text.append(isAnywhere && random.nextBoolean() ? LATE + "\n" : "");
                int offset = size * random.nextInt(48 / size);
                text.append(guard(random)).append(access(random, store, size, offset));
                text.append('\n');
            }
            if (!store) {
                text.append("xor.b32 %r10, %r10, %r14;\n");
            }
        }
        return text.toString();
    }

    private static String guard(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> "@%p1 ";
            case 1 -> "@%p2 ";
            case 2 -> "@!%p3 ";
            default -> "";
        };
    }

    /// A lane's place in units of sixteen bytes, or of what it accesses.
    ///
    /// @param isAnywhere whether in either buffer, and seldom not aligned
    private static String address(Random random, int size, boolean isAnywhere) {
        String lane =
                switch (random.nextInt(7)) {
                    case 0 -> "mov.u32 %r20, %r1;";
                    case 1 -> "mov.u32 %r20, %r3;";
                    case 2 ->
                            "shr.u32 %r20, %r3, 2; and.b32 %r21, %r3, 3;"
                                    + " mad.lo.u32 %r20, %r20, 8, %r21;";
                    case 3 -> "shl.b32 %r20, %r3, 1;";
                    case 4 -> "xor.b32 %r20, %r1, 1;";
                    case 5 -> "shr.u32 %r20, %r1, 1;";
                    default -> "mov.u32 %r20, 0;";
                };
        String part = random.nextBoolean() ? "" : " mad.lo.u32 %r20, %r5, 256, %r20;";
        int aligned = random.nextBoolean() ? 16 : size;
        int unit = isAnywhere && random.nextInt(9) == 0 ? 6 : aligned;
        int buffer = isAnywhere && random.nextBoolean() ? 2 : 1;
        return lane
                + part
                + " mul.wide.u32 %rd5, %r20, "
                + unit
                + "; add.u64 %rd6, %rd"
                + buffer
                + ", %rd5;\n";
    }

    /// An element of a row of all threads of the grid, behind what is theirs otherwise.
    private static String row(int size, int buffer) {
        return "mul.wide.u32 %%rd5, %%r6, %d; add.u64 %%rd6, %%rd%d, %%rd5;".formatted(size, buffer)
                + "add.u64 %%rd6, %%rd6, %d;\n"
                        .formatted(buffer == 1 ? 0 : 4 * WORDS + 2048 * size);
    }

    private static String access(Random random, boolean store, int size, int offset) {
        String place = "[%rd6+" + offset + "]";
        String registers = CheckedWarps.registers(store ? 10 : 14, Math.max(4, size));
        String coherence = !store && random.nextInt(4) == 0 ? ".nc" : "";
        return (store ? "st.global" : "ld.global" + coherence)
                + (size < 4 ? ".b" + 8 * size + " " : CheckedWarps.vector(size) + ".b32 ")
                + (store ? place + ", " + registers : registers + ", " + place)
                + ";";
    }
}
