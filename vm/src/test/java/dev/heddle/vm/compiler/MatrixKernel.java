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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// A kernel of two warps around instructions that multiply and move matrices.
final class MatrixKernel {
    private static final int THREADS = 64;
    private static final int WORDS = 16;
    private static final int CTAS = 3;

    /// What f16, bf16, tf32 and f32 have besides ordinary numbers.
    private static final int[] CORNERS = {
        0, 0x8000_8000, 0x7c00_fc00, 0x7e00_0001, 0x7f80_ff80, 0x7fc0_0001, 0x0080_0001, 0x0400_03ff
    };

    /// Each CTA reads the same and writes a part of its own, so that what one does is no race with
    /// what another does. Sixteen words of each thread are in `%r10` to `%r25`, all of them in the
    /// tile, with sixteen bytes for each row. `%r4` is the address of a row of the tile, another
    /// for each lane, `%rd4` that of the thread's words.
    private static String module(String instructions) {
        return """
        .version 8.5
        .target sm_80
        .address_size 64
        .visible .entry k(.param .u64 a, .param .u64 out)
        {
            .reg .pred %p<9>;
            .reg .b32 %r<60>;
            .reg .f32 %f<60>;
            .reg .b16 %rs<3>;
            .reg .b64 %rd<19>;
            .shared .align 16 .b8 tile[8192];
            ld.param.u64 %rd1, [a];
            ld.param.u64 %rd2, [out];
            mov.u32 %r1, %tid.x;
            and.b32 %r2, %r1, 31;
            mul.wide.u32 %rd3, %r1, 64;
            add.u64 %rd4, %rd1, %rd3;
            add.u64 %rd5, %rd2, %rd3;
            mov.u32 %r6, %ctaid.x;
            mul.wide.u32 %rd6, %r6, 4096;
            add.u64 %rd5, %rd5, %rd6;
            ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%rd4];
            ld.global.v4.b32 {%r14, %r15, %r16, %r17}, [%rd4+16];
            ld.global.v4.b32 {%r18, %r19, %r20, %r21}, [%rd4+32];
            ld.global.v4.b32 {%r22, %r23, %r24, %r25}, [%rd4+48];
            mov.u32 %r3, tile;
            mad.lo.u32 %r5, %r1, 64, %r3;
            st.shared.v4.b32 [%r5], {%r10, %r11, %r12, %r13};
            st.shared.v4.b32 [%r5+16], {%r14, %r15, %r16, %r17};
            st.shared.v4.b32 [%r5+32], {%r18, %r19, %r20, %r21};
            st.shared.v4.b32 [%r5+48], {%r22, %r23, %r24, %r25};
            mul.lo.u32 %r4, %r1, 7;
            and.b32 %r4, %r4, 127;
            mad.lo.u32 %r4, %r4, 16, %r3;
            setp.lt.u32 %p1, %r2, 16;
            setp.lt.u32 %p2, %r1, 32;
            setp.ge.u32 %p3, %r1, 64;
            mov.b32 %f10, %r10;
            mov.b32 %f11, %r11;
            mov.b32 %f12, %r12;
            mov.b32 %f13, %r13;
            mov.u32 %r30, 0;
            mov.u32 %r31, 0;
            mov.u32 %r32, 0;
            mov.u32 %r33, 0;
            bar.sync 0;
            INSTRUCTIONS
            bar.sync 0;
            st.global.v4.b32 [%rd5], {%r30, %r31, %r32, %r33};
            st.global.v4.b32 [%rd5+16], {%r10, %r11, %r12, %r13};
            ld.shared.v4.b32 {%r40, %r41, %r42, %r43}, [%r5];
            st.global.v4.b32 [%rd5+32], {%r40, %r41, %r42, %r43};
            ret;
        }
        """
                .replace(
                        ".version 8.5\n.target sm_80",
                        instructions.contains("block_scale")
                                ? ".version 8.8\n.target sm_120a"
                                : ".version 8.5\n.target sm_80")
                .replace("INSTRUCTIONS", instructions);
    }

    private static byte[] inputs(long seed, boolean corners) {
        Random random = new Random(seed);
        ByteBuffer bytes = ByteBuffer.allocate(4 * WORDS * THREADS).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < WORDS * THREADS; i++) {
            // Exponents of f16 and of bf16 in the middle.
            int ordinary = random.nextInt() & 0x87ff_87ff | 0x3800_3800;
            bytes.putInt(
                    corners && random.nextInt(9) == 0
                            ? CORNERS[random.nextInt(CORNERS.length)]
                            : ordinary);
        }
        return bytes.array();
    }

    private MatrixKernel() {}

    /// The compiler does with instructions what the interpreter does, with checks and without.
    static void agree(String instructions) {
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
        Kernel kernel = Kernel.of(module(instructions), "k.ptx", "k");
        for (long seed = 1; seed <= 4; seed++) {
            Launch launch =
                    Launch.of(
                                    new Extent(CTAS, 1, 1),
                                    new Extent(THREADS, 1, 1),
                                    Argument.buffer("a", inputs(seed, seed > 2)),
                                    Argument.buffer("out", new byte[4 * WORDS * THREADS * CTAS]))
                            .withThreads(1);
            for (Set<RuleGroup> checks : List.of(Set.<RuleGroup>of(), RuleGroup.CHECKS)) {
                Launch one = launch.withChecks(checks);
                String as = "%s, seed %d, checks %s".formatted(instructions, seed, checks);
                assertThat(run(Machine.compiler(new Compilations(0)), kernel, one))
                        .as(as)
                        .isEqualTo(run(Machine.interpreter(), kernel, one));
            }
        }
    }

    private static String run(Machine machine, Kernel kernel, Launch launch) {
        CheckedWarps.Runs runs = new CheckedWarps.Runs();
        try (Outcome outcome = machine.run(kernel, launch, runs)) {
            StringBuilder text = new StringBuilder("runs: " + runs.count.get() + '\n');
            outcome.findings().forEach(each -> text.append(each.message()).append('\n'));
            int[] words = new int[WORDS * THREADS * CTAS];
            ByteBuffer.wrap(outcome.buffer("out"))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asIntBuffer()
                    .get(words);
            for (int i = 0; i < words.length; i++) {
                text.append(Integer.toHexString(words[i])).append(i % WORDS == 15 ? '\n' : ' ');
            }
            return text + outcome.report().instructions().toString();
        }
    }
}
