package dev.heddle.cuda.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.FloatFormat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

@DisplayName("operands drawn for floating-point forms")
final class FloatInputsTest {
    private static final int LANES = 32;

    /// m16n8k16 of 16-bit elements: A 4 words a lane, B 2, C 4 values.
    private static FloatInputs inputs(FloatFormat format, long seed) {
        return new FloatInputs(
                format,
                OperandGrid.registers(LANES, 4, format.bits()),
                format,
                OperandGrid.registers(LANES, 2, format.bits()),
                FloatFormat.F32,
                LANES * 4,
                new SplittableRandom(seed));
    }

    @Test
    void pairsOfProductsCancelExactly() {
        OperandCodes drawn = inputs(FloatFormat.F16, 1).draw(CaseClass.CANCELLATION, 0);
        for (int i = 0; i < drawn.a().length; i += 2) {
            BigDecimal first = new BigDecimal(FloatFormat.F16.toDouble(drawn.a()[i]));
            BigDecimal second = new BigDecimal(FloatFormat.F16.toDouble(drawn.a()[i + 1]));
            assertThat(first.add(second)).isEqualByComparingTo(BigDecimal.ZERO);
        }
        for (int quad = 0; quad < LANES / 4; quad++) {
            int from = quad * 16;
            assertThat(Arrays.stream(drawn.b(), from, from + 16).distinct()).hasSize(1);
        }
    }

    @Test
    void inWideRegistersTheNeighbouringLaneHoldsThePartner() {
        OperandCodes drawn = inputs(FloatFormat.TF32, 2).draw(CaseClass.CANCELLATION, 0);
        for (int lane = 0; lane < LANES; lane += 2) {
            for (int i = 0; i < 4; i++) {
                assertThat(drawn.a()[lane * 4 + i] ^ drawn.a()[(lane + 1) * 4 + i])
                        .isEqualTo(0x8000_0000L);
            }
        }
    }

    @Test
    void tinyValuesAreSubnormal() {
        OperandCodes drawn = inputs(FloatFormat.BF16, 3).draw(CaseClass.TINY, 0);
        assertThat(Arrays.stream(drawn.a()).map(code -> code & 0x7f80)).containsOnly(0L);
        assertThat(Arrays.stream(drawn.c()).map(code -> code & 0x7f80_0000)).containsOnly(0L);
    }

    @Test
    void zerosHaveBothSigns() {
        OperandCodes drawn = inputs(FloatFormat.E4M3, 4).draw(CaseClass.ZEROS, 0);
        assertThat(drawn.b()).containsOnly(0x00L, 0x80L).contains(0x00L, 0x80L);
    }

    @ParameterizedTest
    @EnumSource(names = {"F64", "F32", "TF32", "BF16", "F16", "E5M2", "E4M3"})
    void codesFitTheirFormatAndSpecialValuesStayInTheirClass(FloatFormat format) {
        FloatInputs inputs = inputs(format, 5);
        for (CaseClass caseClass : CaseClass.values()) {
            for (int kind = 0; kind < inputs.subclasses(caseClass); kind++) {
                OperandCodes drawn = inputs.draw(caseClass, kind);
                assertThat(Arrays.stream(drawn.a()).allMatch(code -> (code & ~format.mask()) == 0))
                        .isTrue();
                if (caseClass != CaseClass.RANDOM_BITS) {
                    assertThat(Arrays.stream(drawn.a()).allMatch(format::isFinite))
                            .as("%s of %s, kind %d", caseClass, format, kind)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void randomBitsBringNaNAndInfinity() {
        FloatInputs inputs = inputs(FloatFormat.F16, 6);
        long[] codes =
                IntStream.range(0, 12)
                        .boxed()
                        .flatMapToLong(
                                kind -> Arrays.stream(inputs.draw(CaseClass.RANDOM_BITS, kind).a()))
                        .toArray();
        assertThat(Arrays.stream(codes).filter(FloatFormat.F16::isNaN)).isNotEmpty();
        assertThat(Arrays.stream(codes).filter(FloatFormat.F16::isInfinite)).isNotEmpty();
    }
}
