package dev.heddle.tensorcore.x86;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Value;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.Random;

/// Fused sums of halves, rounded to odd and then to the format, beside the exact sum rounded once.
/// `-Dheddle.sums=N` tries so many vectors of each kind.
@DisplayName("fused sums rounded to odd round as exact ones do")
final class FusedToOddTest {
    private static final int VECTORS = Integer.getInteger("heddle.sums", 4000);
    private static final long SEED = 20261126;
    private static final int A = 2;
    private static final int B = 20;
    private static final int C = 7;
    private static final int SPARE = 21;

    @BeforeAll
    static void onThisProcessor() {
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
    }

    private static ExecutableMemory sum(Assembler code) {
        code.enter();
        code.vector(Evex.VMOVDQU32, A, 0, Operand.at(Assembler.RDI, 0));
        code.vector(Evex.VMOVDQU32, B, 0, Operand.at(Assembler.RSI, 0));
        code.vector(Evex.VMOVDQU32, C, 0, Operand.at(Assembler.RDX, 0));
        code.fusedToOdd(C, A, B, SPARE);
        code.vector(Evex.VMOVDQU32_STORE, C, 0, Operand.at(Assembler.RCX, 0));
        code.leave();
        code.zeroUpper();
        code.ret();
        return ExecutableMemory.of(code.finish());
    }

    @ParameterizedTest
    @CsvSource({"F16, AVX512", "BF16, AVX512", "F16, AVX2", "BF16, AVX2"})
    void asExactSumsDo(FloatFormat format, String instructions) {
        boolean isWide = instructions.equals("AVX512");
        assumeTrue(!isWide || Processor.hasAvx512(), "needs AVX-512");
        ExecutableMemory code = sum(isWide ? new Assembler() : new Avx2Assembler());
        Random random = new Random(SEED);
        int[][] operands = new int[3][16];
        float[][] values = new float[3][16];
        float[] results = new float[16];
        MemorySegment none = MemorySegment.NULL;
        for (int i = 0; i < VECTORS; i++) {
            for (int lane = 0; lane < 16; lane++) {
                int[] three = operands(format, random);
                for (int k = 0; k < 3; k++) {
                    operands[k][lane] = three[k];
                    values[k][lane] = (float) format.toDouble(three[k]);
                }
            }
            code.call(
                    MemorySegment.ofArray(values[0]),
                    MemorySegment.ofArray(values[1]),
                    MemorySegment.ofArray(values[2]),
                    MemorySegment.ofArray(results),
                    none,
                    none);
            for (int lane = 0; lane < 16; lane++) {
                assertThat(code(format, results[lane]))
                        .as("%x * %x + %x", operands[0][lane], operands[1][lane], operands[2][lane])
                        .isEqualTo(
                                exact(format, values[0][lane], values[1][lane], values[2][lane]));
            }
        }
    }

    private static int exact(FloatFormat format, float a, float b, float c) {
        double simple = (double) a * b + c;
        if (!Float.isFinite(a) || !Float.isFinite(b) || !Float.isFinite(c)) {
            return code(format, simple);
        }
        BigDecimal sum = new BigDecimal(a).multiply(new BigDecimal(b)).add(new BigDecimal(c));
        return sum.signum() == 0
                ? code(format, simple)
                : (int) format.encode(Value.Finite.of(sum), Rounding.NEAREST_EVEN, Overflow.IEEE);
    }

    private static int code(FloatFormat format, double value) {
        return (int) format.encode(value, Rounding.NEAREST_EVEN, Overflow.IEEE);
    }

    /// Any numbers; or a sum of about half the difference of two neighbours, or less; or a number
    /// and half of what is missing to the next one; or a product half way between two numbers.
    private static int[] operands(FloatFormat format, Random random) {
        int a = random.nextInt(1 << 16);
        int b = random.nextInt(1 << 16);
        int c = random.nextInt(1 << 16);
        switch (random.nextInt(4)) {
            case 0 -> {
                double product = format.toDouble(a) * format.toDouble(b);
                double factor = Math.scalb(random.nextDouble() - 0.5, random.nextInt(-16, 16));
                c =
                        random.nextBoolean()
                                ? code(format, -product) + random.nextInt(-1, 2)
                                : code(format, product * factor);
            }
            case 1 -> {
                double half = (format.toDouble(c & 0x7fff) - format.toDouble((c & 0x7fff) + 1)) / 2;
                b = code(format, half / format.toDouble(a)) + random.nextInt(-1, 2);
            }
            case 2 -> {
                int precision = format.fractionBits() + 1;
                int x = random.nextInt(1 << precision) | 1;
                int y = ((1 << precision) + x - 1) / x | 1;
                a = code(format, Math.scalb((double) x, random.nextInt(-20, 8) - precision));
                b = code(format, Math.scalb((double) y, random.nextInt(-8, 8)));
            }
            default -> {}
        }
        return new int[] {a & 0xffff, b & 0xffff, c & 0xffff};
    }
}
