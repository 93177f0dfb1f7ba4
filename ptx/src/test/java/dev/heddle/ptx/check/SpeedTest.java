package dev.heddle.ptx.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.function.Supplier;

/// The bounds are ten times what is promised: a test machine may be busy.
@DisplayName("Speed of checking")
final class SpeedTest {

    /// A module of this many lines, with declarations, branches, loads, arithmetic and matrix
    /// products.
    static String module(int lines) {
        StringBuilder text =
                new StringBuilder(
                        """
                        .version 8.8
                        .target sm_90a
                        .address_size 64
                        .visible .entry k(.param .u64 p)
                        {
                        .reg .pred %p<2>;
                        .reg .b32 %r<40000>;
                        .reg .f32 %f<100>;
                        .reg .b64 %rd<10>;
                        ld.param.u64 %rd1, [p];
                        """);
        for (int i = 0; i < lines; i += 8) {
            int r = i % 39_000;
            text.append("L").append(i).append(":\n");
            text.append("add.s32 %r").append(r + 1).append(", %r").append(r).append(", 7;\n");
            text.append("mad.lo.s32 %r")
                    .append(r + 2)
                    .append(", %r")
                    .append(r + 1)
                    .append(", %r3, %r4;\n");
            text.append("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+").append(i).append("];\n");
            text.append("fma.rn.f32 %f5, %f1, %f2, %f3;\n");
            text.append("setp.lt.s32 %p1, %r").append(r + 2).append(", 100;\n");
            text.append("@%p1 bra L").append(i).append(";\n");
            text.append(
                    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4},"
                            + " {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4};\n");
        }
        return text.append("ret;\n}\n").toString();
    }

    private static double best(int times, Supplier<CheckReport> work) {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            assertThat(work.get().verdict()).isEqualTo(CheckReport.Verdict.ACCEPT);
            best = Math.min(best, (System.nanoTime() - start) / 1e9);
        }
        return best;
    }

    @Test
    void aModuleOfTwentyThousandLines() {
        String text = module(20_000);
        assertThat(best(4, () -> Check.text(text, "large.ptx"))).isLessThan(5.0);
    }

    @Test
    void fiveThousandSmallFiles() {
        String small =
                """
                .version 9.0
                .target sm_90
                .entry k() { .reg .b32 %r<3>; add.s32 %r0, %r1, %r2; ret; }
                """;
        long start = System.nanoTime();
        for (int i = 0; i < 5_000; i++) {
            assertThat(Check.text(small, "small.ptx").findings()).isEmpty();
        }
        assertThat((System.nanoTime() - start) / 1e9).isLessThan(50.0);
    }
}
