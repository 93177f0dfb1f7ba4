package dev.heddle.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;

@DisplayName("Codes in memory, matrices, tensors")
final class CodesTest {
    private static final long SEED = 20260104;

    static Stream<Format> formats() {
        return Format.all().stream();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void whatIsSetIsRead(Format format) {
        RandomGenerator random = RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(SEED);
        long[] expected = new long[131];
        Codes codes = Codes.zeros(format, expected.length);
        for (int i = 0; i < 1000; i++) {
            int index = random.nextInt(expected.length);
            long code = random.nextLong();
            codes.set(index, code);
            expected[index] = code & format.mask();
            for (int j = 0; j < expected.length; j++) {
                assertThat(codes.bits(j)).isEqualTo(expected[j]);
            }
        }
        Codes copy = Codes.wrap(format, expected.length, codes.bytes().clone());
        assertThat(copy).isEqualTo(codes).hasSameHashCodeAs(codes);
        copy.set(130, ~copy.bits(130));
        assertThat(copy).isNotEqualTo(codes);
    }

    @Test
    void bytesAreLittleEndianAndLowBitsFirst() {
        assertThat(bytes(FloatFormat.F32, 0x01020304L)).containsExactly(4, 3, 2, 1);
        assertThat(bytes(FloatFormat.F16, 0x0102, 0x0304)).containsExactly(2, 1, 4, 3);
        assertThat(bytes(FloatFormat.E2M1, 1, 2, 3)).containsExactly(0x21, 0x03);
        assertThat(bytes(FloatFormat.E3M2, 0x3F, 1)).containsExactly(0x3F, 1);
        assertThat(bytes(IntegerFormat.B1, 1, 0, 0, 1, 0, 0, 0, 0, 1)).containsExactly(9, 1);
        assertThat(bytes(FloatFormat.F64, 1)).containsExactly(1, 0, 0, 0, 0, 0, 0, 0);
    }

    private static byte[] bytes(Format format, long... values) {
        Codes codes = Codes.zeros(format, values.length);
        for (int i = 0; i < values.length; i++) {
            codes.set(i, values[i]);
        }
        return codes.bytes();
    }

    @Test
    void refusesSizesAndIndicesThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codes.wrap(FloatFormat.F16, 3, new byte[5]))
                .withMessage("5 bytes for 3 elements of .f16: expected 6");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codes.zeros(FloatFormat.F32, 1L << 40))
                .withMessageContaining("at most 2 GiB");
        assertThatIllegalArgumentException().isThrownBy(() -> Codes.byteSize(FloatFormat.F32, -1));
        Codes codes = Codes.zeros(FloatFormat.E2M1, 3);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> codes.bits(3))
                .withMessage("element 3 of 3 .e2m1 elements");
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> codes.set(-1, 0));
    }

    @Test
    void matricesAreRowMajor() {
        Matrix matrix = Matrix.of(IntegerFormat.U8, 2, 3, (row, column) -> 10L * row + column);
        assertThat(matrix.codes().bytes()).containsExactly(0, 1, 2, 10, 11, 12);
        assertThat(matrix.transposed().codes().bytes()).containsExactly(0, 10, 1, 11, 2, 12);
        assertThat(matrix.toDouble(1, 2)).isEqualTo(12);
        assertThat(matrix.value(1, 2)).isEqualTo(Value.of(12L));
        assertThat(matrix).hasToString("2 x 3 .u8");
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> matrix.bits(0, 3))
                .withMessage("row 0, column 3 of a 2 x 3 matrix");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Matrix(2, 2, matrix.codes()))
                .withMessage("2 x 2 matrix: expected 4 elements, found 6");
    }

    @Test
    void convertedMatricesHoldTheRoundedValues() {
        Matrix matrix = Matrix.zeros(FloatFormat.F32, 1, 2);
        matrix.set(0, 0, Float.floatToRawIntBits(1000));
        matrix.set(0, 1, Float.floatToRawIntBits(0.84375f));
        Matrix narrow = matrix.convert(FloatFormat.E4M3, Rounding.NEAREST_EVEN, Overflow.SATFINITE);
        assertThat(narrow.bits(0, 0)).isEqualTo(0x7E);
        assertThat(narrow.bits(0, 1)).isEqualTo(0x36);
        assertThat(narrow.toDouble(0, 0)).isEqualTo(448);
    }

    @Test
    void tensorsCarryAShape() {
        Tensor tensor = Tensor.zeros(FloatFormat.F16, List.of(2, 3, 4));
        assertThat(tensor.codes().length()).isEqualTo(24);
        assertThat(tensor).hasToString("2 x 3 x 4 .f16");
        assertThat(Tensor.zeros(FloatFormat.F16, List.of()).codes().length()).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(tensor::matrix)
                .withMessage("shape [2, 3, 4]: expected a matrix, two dimensions");
        Matrix matrix = Matrix.zeros(IntegerFormat.U16, 2, 2);
        matrix.set(0, 1, 0x3F80);
        Tensor bf16 = Tensor.of(matrix).reinterpret(FloatFormat.BF16);
        assertThat(bf16.matrix().toDouble(0, 1)).isEqualTo(1.0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bf16.reinterpret(FloatFormat.E4M3))
                .withMessage(
                        ".bf16 elements cannot be read as .e4m3: expected a format of 16 bits");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tensor.elements(List.of(1 << 30, 1 << 30, 1 << 30)))
                .withMessageContaining("too many elements");
    }
}
