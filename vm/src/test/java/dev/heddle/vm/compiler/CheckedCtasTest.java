package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.tensorcore.x86.Processor;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.report.Suppressions;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Kernels that run as whole CTAs with all checks on, beside the interpreter: findings, lanes,
/// words and memory are the same, whatever is wrong with them.
@DisplayName("Whole CTAs in machine code, with checks")
final class CheckedCtasTest {
    private static final int CTAS = 6;
    private static final int THREADS = 128;
    private static final int WORDS = (CTAS + 1) * THREADS;

    /// Random kernels; `-Dheddle.checkedCtas=N` takes more, from `-Dheddle.seed=S` on.
    private static final int KERNELS = Integer.getInteger("heddle.checkedCtas", 60);

    private static final long FIRST_SEED = Long.getLong("heddle.seed", 0);

    /// %r7 the thread's word of shared memory, %r6 the word of its half warp, %r5 the first; %rd3
    /// the thread's word of `out`, %rd4 of `out` whatever the CTA, %rd5 of `in`; %r8 a value.
    private static String module(String body) {
        return """
        .version 8.0
        .target sm_80
        .address_size 64
        .visible .entry k(.param .u64 out, .param .u64 in, .param .u32 n)
        {
            .reg .pred %%p<9>;
            .reg .b32 %%r<29>;
            .reg .b64 %%rd<9>;
            .shared .align 16 .b8 tile[1088];
            ld.param.u64 %%rd1, [out];
            ld.param.u64 %%rd2, [in];
            ld.param.u32 %%r9, [n];
            mov.u32 %%r1, %%tid.x;
            mov.u32 %%r2, %%ctaid.x;
            mad.lo.s32 %%r3, %%r2, 128, %%r1;
            mul.wide.u32 %%rd6, %%r3, 4;
            add.u64 %%rd3, %%rd1, %%rd6;
            mul.wide.u32 %%rd7, %%r1, 4;
            add.u64 %%rd4, %%rd1, %%rd7;
            add.u64 %%rd5, %%rd2, %%rd7;
            mov.u32 %%r5, tile;
            mad.lo.s32 %%r7, %%r1, 4, %%r5;
            shr.u32 %%r6, %%r1, 4;
            mad.lo.s32 %%r6, %%r6, 4, %%r5;
            add.s32 %%r8, %%r3, 7;
            mov.b32 %%r10, 0;
            mov.b32 %%r11, 0;
            setp.lt.u32 %%p1, %%r1, 64;
            setp.eq.u32 %%p2, %%r2, 3;
            %s
            ret;
        }
        """
                .formatted(body);
    }

    private static Launch launch() {
        return Launch.of(
                        new Extent(CTAS, 1, 1),
                        new Extent(THREADS, 1, 1),
                        Argument.poison("out", 4 * WORDS),
                        Argument.buffer("in", new byte[4 * WORDS]),
                        Argument.s32(3))
                .withChecks(RuleGroup.CHECKS)
                .withThreads(1);
    }

    private static void agree(String body) {
        agree(body, launch());
        agree(body, launch().reporting(new Reporting(Reporting.Scope.ALL, Suppressions.NONE)));
    }

    private static Outcome agree(String body, Launch launch) {
        Kernel kernel = Kernel.of(module(body), "k.ptx", "k");
        Outcome expected = Machine.interpreter().run(kernel, launch);
        Outcome found = Machine.compiler(new Compilations(0)).run(kernel, launch);
        assertThat(found.findings().toString()).as(body).isEqualTo(expected.findings().toString());
        assertThat(found.warnings().toString()).as(body).isEqualTo(expected.warnings().toString());
        assertThat(found.buffer("out")).as(body).isEqualTo(expected.buffer("out"));
        if (expected.isClean()) {
            assertThat(found.report().instructions()).isEqualTo(expected.report().instructions());
            Outcome shared =
                    Machine.compiler(new Compilations(0)).run(kernel, launch.withThreads(3));
            assertThat(shared.findings()).as(body).isEmpty();
            assertThat(shared.buffer("out")).as(body).isEqualTo(expected.buffer("out"));
        }
        return expected;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Tiles go round through shared memory, and through two of them in turn.
                """
                L: st.shared.b32 [%r7], %r8;
                bar.sync 0;
                ld.shared.b32 %r11, [%r6];
                ld.shared.b32 %r12, [%r6+32];
                ld.shared.b32 %r13, [%r5+4];
                add.s32 %r8, %r11, %r12;
                bar.sync 0;
                add.s32 %r10, %r10, 1;
                setp.lt.u32 %p3, %r10, %r9;
                @%p3 bra L;
                st.global.b32 [%rd3], %r8;
                """,
                """
                st.shared.b32 [%r7], %r8;
                bar.sync 0;
                L: ld.shared.b32 %r11, [%r6];
                st.shared.b32 [%r7+512], %r11;
                bar.sync 0;
                ld.shared.b32 %r12, [%r6+512];
                st.shared.b32 [%r7], %r12;
                bar.sync 0;
                add.s32 %r10, %r10, 1;
                setp.lt.u32 %p3, %r10, %r9;
                @%p3 bra L;
                st.global.b32 [%rd3], %r12;
                """,
                // All read the same, each writes its own, again and again.
                """
                L: ld.global.b32 %r11, [%rd5];
                ld.global.b32 %r12, [%rd5+512];
                add.s32 %r8, %r8, %r11;
                st.global.b32 [%rd3], %r8;
                add.s32 %r10, %r10, 1;
                setp.lt.u32 %p3, %r10, %r9;
                @%p3 bra L;
                ld.global.b32 %r12, [%rd3];
                """,
                // A warp ends before the others meet.
                """
                st.shared.b32 [%r7], %r8;
                bar.sync 0;
                @%p1 bra N;
                bar.sync 0;
                ld.shared.b32 %r12, [%r7];
                st.global.b32 [%rd3], %r12;
                N:
                """
            })
    @DisplayName("What is in order")
    void clean(String body) {
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
        assertThat(agree(body, launch()).findings()).isEmpty();
        agree(body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // No barrier between a store and a load, or a load and a store.
                "st.shared.b32 [%r7], %r8; ld.shared.b32 %r8, [%r7+4]; st.global.b32 [%rd3], %r8;",
                """
                st.shared.b32 [%r7], %r8;
                bar.sync 0;
                ld.shared.b32 %r11, [%r7+64];
                st.shared.b32 [%r7], %r11;
                """,
                """
                st.shared.b32 [%r7], %r8;
                bar.sync 0;
                ld.shared.b32 %r11, [%r6];
                st.shared.b32 [%r7], %r11;
                """,
                // Two warps write the same words, in the last CTA but two.
                """
                and.b32 %r12, %r7, 0xfffffe7f;
                selp.b32 %r7, %r12, %r7, %p2;
                st.shared.b32 [%r7], %r8;
                """,
                // Words that nobody wrote, in shared and in global memory.
                "ld.shared.b32 %r11, [%r7+512]; st.global.b32 [%rd3], %r11;",
                "@%p2 ld.global.b32 %r11, [%rd3]; st.global.b32 [%rd5], %r11;",
                "ld.global.b32 %r11, [%rd3]; st.global.b32 [%rd5], %r11;",
                // CTAs write what others read or write.
                "st.global.b32 [%rd4], %r8;",
                "ld.global.b32 %r11, [%rd5]; @%p2 st.global.b32 [%rd5], %r8;",
                "st.global.b32 [%rd3], %r8; ld.global.b32 %r11, [%rd3+512];",
                "st.global.b32 [%rd3], %r8; bar.sync 0; ld.global.b32 %r11, [%rd3+64];",
                "st.global.b32 [%rd3], %r8; ld.global.b32 %r11, [%rd3+128];",
                // Behind the end of a buffer, in one CTA.
                """
                st.global.b32 [%rd3], %r8;
                bar.sync 0;
                add.u64 %rd8, %rd3, 100000;
                selp.b64 %rd3, %rd8, %rd3, %p2;
                st.global.b32 [%rd3], %r8;
                """,
                "st.shared.b32 [%r7+1024], %r8;",
            })
    @DisplayName("What is not")
    void wrong(String body) {
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
        assertThat(agree(body, launch()).findings()).isNotEmpty();
        agree(body);
    }

    @Test
    @DisplayName("Random kernels")
    void random() {
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
        int clean = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + KERNELS; seed++) {
            String body = "// seed " + seed + "\n" + body(new Random(seed));
            clean += agree(body, launch()).isClean() ? 1 : 0;
            if (seed % 4 == 0) {
                agree(body);
            }
        }
        // Both kinds must be among them, or nothing is tried.
        assertThat(clean).isBetween(KERNELS / 10, KERNELS * 9 / 10);
    }

    private static String body(Random random) {
        List<String> lines = new ArrayList<>();
        boolean loops = random.nextInt(3) == 0;
        double slip = random.nextInt(3) * 0.12;
        lines.add("st.shared.b32 [%r7], %r8;");
        lines.add("st.shared.b32 [%r7+512], %r8;");
        lines.add(random.nextDouble() < slip ? "" : "bar.sync 0;");
        lines.add(loops ? "L:" : "");
        boolean dirty = false;
        boolean read = false;
        for (int i = 0; i < 3 + random.nextInt(9); i++) {
            int kind = random.nextInt(10);
            boolean writes = kind < 3;
            boolean reads = kind >= 3 && kind < 7;
            boolean slips = random.nextDouble() < slip;
            if ((writes && read || reads && dirty) && !slips) {
                lines.add("bar.sync 0;");
                dirty = false;
                read = false;
            }
            dirty |= writes;
            read |= reads;
            lines.add(writes ? store(random) : reads ? load(random) : global(random, slip));
        }
        if (loops) {
            lines.add(random.nextDouble() < slip ? "" : "bar.sync 0;");
            lines.add("add.s32 %r10, %r10, 1;");
            lines.add("setp.lt.u32 %p3, %r10, %r9;");
            lines.add("@%p3 bra L;");
        }
        lines.add("st.global.b32 [%rd3], %r8;");
        return String.join("\n", lines);
    }

    private static String store(Random random) {
        String guard = random.nextInt(8) == 0 ? "@%p1 " : "";
        return guard + "st.shared.b32 [%r7+" + 512 * random.nextInt(2) + "], %r8;";
    }

    private static String load(Random random) {
        String target = "%r" + (11 + random.nextInt(3));
        String base = List.of("%r7", "%r6", "%r5").get(random.nextInt(3));
        int offset = List.of(0, 4, 64, 128, 512, 576).get(random.nextInt(6));
        // The last words of the thread's row are those behind the tile.
        offset = base.equals("%r7") && offset % 512 != 0 ? 512 * random.nextInt(2) : offset;
        return "ld.shared.b32 %s, [%s+%d]; add.s32 %%r8, %%r8, %s;"
                .formatted(target, base, offset, target);
    }

    private static String global(Random random, double slip) {
        if (random.nextDouble() < slip) {
            return List.of(
                            "st.global.b32 [%rd4], %r8;",
                            "@%p2 st.global.b32 [%rd5], %r8;",
                            "ld.global.b32 %r14, [%rd3+128];",
                            "st.global.b32 [%rd3+512], %r8;")
                    .get(random.nextInt(4));
        }
        return List.of(
                        "st.global.b32 [%rd3], %r8;",
                        "ld.global.b32 %r14, [%rd5]; add.s32 %r8, %r8, %r14;",
                        "ld.global.b32 %r14, [%rd5+64]; add.s32 %r8, %r8, %r14;",
                        "st.global.b32 [%rd3], %r8; ld.global.b32 %r14, [%rd3];",
                        "add.s32 %r8, %r8, %r11;")
                .get(random.nextInt(5));
    }
}
