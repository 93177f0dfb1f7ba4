package dev.heddle.sparse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.formats.FloatFormat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.stream.IntStream;

@DisplayName("Chunks of 16-bit elements, taken many at once")
final class ShortChunksTest {
    private static final StorageFormat DENSE = StorageFormats.named("dense");
    private static final StorageFormat INDICES = StorageFormats.named("indices");
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Zeros of both signs, subnormal numbers, equal magnitudes of both signs, infinity, NaN.
    private static final short[] CODES = {
        0,
        (short) 0x8000,
        1,
        (short) 0x8001,
        0x3c00,
        (short) 0xbc00,
        0x3c01,
        0x7bff,
        0x7c00,
        (short) 0xfc00,
        0x7e00,
        (short) 0xffff
    };

    private static StoredMatrix dense(MatrixType type, short[] codes) {
        MemorySegment memory = MemorySegment.ofArray(new byte[codes.length * Short.BYTES]);
        for (int i = 0; i < codes.length; i++) {
            memory.setAtIndex(SHORT, i, codes[i]);
        }
        return StoredMatrix.of(DENSE, type, memory);
    }

    private static short[] codes(StoredMatrix matrix) {
        return matrix.values().toArray(SHORT);
    }

    /// Rows of 12 and of 4,104 columns: less than a block, and more than one.
    @ParameterizedTest
    @CsvSource({"500, 12", "7, 4104"})
    void theTwoLargestMagnitudesStayAsSortingFindsThem(int rows, int columns) {
        short[] before = new short[rows * columns];
        Random random = new Random(columns);
        for (int i = 0; i < before.length; i++) {
            before[i] = CODES[random.nextInt(CODES.length)];
        }
        MatrixType type = new MatrixType(rows, columns, FloatFormat.F16);
        StoredMatrix compressed = StoredMatrix.allocate(INDICES, type);
        StoredMatrix back = StoredMatrix.allocate(DENSE, type);

        long dropped =
                new MatrixConversion(dense(type, before), compressed, Pruning.MAGNITUDE, _ -> {})
                        .run();
        new MatrixConversion(compressed, back).run();

        short[] expected = new short[before.length];
        long lost = 0;
        for (int chunk = 0; chunk < before.length; chunk += 4) {
            int first = chunk;
            int[] order =
                    IntStream.range(0, 4)
                            .boxed()
                            .sorted((i, j) -> rank(before[first + j]) - rank(before[first + i]))
                            .mapToInt(i -> i)
                            .toArray();
            for (int place = 0; place < 4; place++) {
                int at = chunk + order[place];
                if (place < 2) {
                    expected[at] = before[at];
                } else {
                    lost += (before[at] & 0x7fff) == 0 ? 0 : 1;
                }
            }
        }
        assertThat(codes(back)).isEqualTo(expected);
        assertThat(dropped).isEqualTo(lost);
    }

    /// The magnitude; of zeros that with a sign counts more, for it has a code to keep.
    private static int rank(short code) {
        return (code & 0x7fff) * 2 + (code == (short) 0x8000 ? 1 : 0);
    }

    @Test
    void aChunkBehindTheFirstBlockIsRefusedWithItsPlace() {
        MatrixType type = new MatrixType(2, 4104, FloatFormat.F16);
        short[] codes = new short[2 * 4104];
        codes[4104 + 4097] = 1;
        codes[4104 + 4098] = 2;
        codes[4104 + 4099] = 3;

        assertThatThrownBy(
                        () ->
                                new MatrixConversion(
                                                dense(type, codes),
                                                StoredMatrix.allocate(INDICES, type))
                                        .run())
                .isInstanceOf(SparsityException.class)
                .hasMessageContaining("row 1, chunk 1024 (columns 4096..4099)")
                .hasMessageContaining("would have to go: column 4097");
    }
}
