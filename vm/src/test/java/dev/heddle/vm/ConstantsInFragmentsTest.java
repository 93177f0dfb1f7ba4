package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `_` and constants among the registers of matrix instructions, which assemblers take: a kernel
/// with them stores what the same kernel does with registers that hold the bits ptxas 13.0 puts
/// there.
@DisplayName("constants and _ in the vectors of mma and wmma")
final class ConstantsInFragmentsTest {
    private static final String SETUP =
            """
            mul.lo.u32 %r2, %r1, 0x01010101;
            mov.b32 %r3, 0x3c003800; xor.b32 %r4, %r2, %r3;
            mov.b32 %r5, 0x34003e00; mov.b32 %r6, %r5; mov.b32 %r7, %r3;
            cvt.rn.f32.u32 %f1, %r1; cvt.rn.f64.u32 %fd1, %r1;
            mov.f32 %f2, 0f40490FDB; mov.f64 %fd2, 0d400921FB54442D18;
            """;
    private static final String HALF = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 ";
    private static final String SPARSE =
            "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 ";
    private static final String DOUBLE = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 ";
    private static final String WMMA = "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 ";
    private static final String BYTES = "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 ";

    @ParameterizedTest(name = "{0} for {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0.                 | 00000000
                    0f3FC00000         | 3fc00000
                    # A double of which the low 32 bits count.
                    1.5                | 00000000
                    0d3FF80000000000AB | 000000ab
                    """)
    void ofSingles(String constant, String bits) {
        String d = "{%f3, %f4, %f5, %f6}, {%r4, %r5, %r6, %r7}, ";
        assertSame(
                HALF + d + "{%r3, %r5}, {%f1, " + constant + ", %f2, 0f00000000};",
                HALF + d + "{%r3, %r5}, {%f1, %f9, %f2, %f10};",
                "mov.b32 %f9, 0x" + bits + "; mov.b32 %f10, 0;");
    }

    @ParameterizedTest(name = "{0} for {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0x3c003c00 | 3c003c00
                    7          | 00000007
                    -1         | ffffffff
                    0f3F800000 | 3f800000
                    """)
    void ofMultiplicands(String constant, String bits) {
        String set = "mov.b32 %r8, 0x" + bits + ";";
        assertSame(
                HALF
                        + "{%f3, %f4, %f5, %f6}, {%r4, CONSTANT, %r6, %r7}, {CONSTANT, %r5},"
                                .replace("CONSTANT", constant)
                        + " {%f1, %f2, %f2, %f1};",
                HALF
                        + "{%f3, %f4, %f5, %f6}, {%r4, %r8, %r6, %r7}, {%r8, %r5},"
                        + " {%f1, %f2, %f2, %f1};",
                set);
        String sparse = "{%f3, %f4, %f5, %f6}, {%r4, A}, {%r4, A}, {%f1, %f2, %f1, 0.}, %r9, 0x0;";
        String metadata = "mov.b32 %r9, 0x44444444;";
        assertSame(
                SPARSE + sparse.replace("A", constant),
                SPARSE + sparse.replace("A", "%r8").replace("0.", "%f9"),
                set + "mov.f32 %f9, 0f00000000;",
                metadata);
    }

    @ParameterizedTest(name = "{0} for {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    1.5        | 3ff8000000000000
                    -0.        | 8000000000000000
                    0f3F800000 | 000000003f800000
                    """)
    void ofDoubles(String constant, String bits) {
        String set = "mov.b64 %fd5, 0x" + bits + ";";
        for (String opcode : new String[] {DOUBLE, WMMA}) {
            String operands = "{%fd3, %fd4}, {%fd1}, {%fd2}, {%fd1, C};";
            assertSame(
                    opcode + operands.replace("C", constant),
                    opcode + operands.replace("C", "%fd5"),
                    set);
        }
    }

    @ParameterizedTest
    @CsvSource({"-5,fffffffb", "0x7fffffff,7fffffff"})
    void ofIntegers(String constant, String bits) {
        String operands =
                "{%r10, %r11, %r12, %r13}, {%r4, A, %r6, %r7}, {%r3, %r5}, {A, %r3, A, %r5};";
        assertSame(
                BYTES + operands.replace("A", constant),
                BYTES + operands.replace("A", "%r8"),
                "mov.b32 %r8, 0x" + bits + ";");
    }

    @Test
    void dropsWhatIsNotAsked() {
        String words = "{%f3, A, B, C}, {%r4, %r5, %r6, %r7}, {%r3, %r5}, {%f1, %f2, %f2, %f1};";
        assertSame(
                HALF + words.replaceAll("[ABC]", "_"),
                HALF + words.replace("A", "%f7").replace("B", "%f8").replace("C", "%f9"));
        String pairs = "{A, %fd3}, {%fd1}, {%fd2}, {%fd1, %fd2};";
        for (String opcode : new String[] {DOUBLE, WMMA}) {
            assertSame(opcode + pairs.replace("A", "_"), opcode + pairs.replace("A", "%fd7"));
        }
    }

    /// Runs both behind the same code; all that they may write is compared.
    private static void assertSame(String shorter, String longer, String... before) {
        String first = SETUP + String.join("\n", before) + "\n";
        assertThat(results(first + shorter)).isEqualTo(results(first + longer));
    }

    private static long[] results(String code) {
        String zeros =
                """
                mov.f32 %f3, 0f00000000; mov.f32 %f4, %f3; mov.f32 %f5, %f3; mov.f32 %f6, %f3;
                mov.f64 %fd3, 0d0000000000000000; mov.f64 %fd4, %fd3;
                mov.b32 %r10, 0; mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0;
                """;
        String stores =
                """
                mad.wide.u32 %rd2, %r1, 48, %rd1;
                st.global.v4.f32 [%rd2], {%f3, %f4, %f5, %f6};
                st.global.v2.f64 [%rd2+16], {%fd3, %fd4};
                st.global.v4.b32 [%rd2+32], {%r10, %r11, %r12, %r13};
                """;
        return TinyKernel.of(zeros + code + stores).on("sm_90", "8.5").run(32, new long[32 * 6]);
    }
}
