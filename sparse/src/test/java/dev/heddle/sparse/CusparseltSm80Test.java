package dev.heddle.sparse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.lang.foreign.ValueLayout;
import java.util.List;

@DisplayName("cusparselt-sm80: metadata where cuSPARSELt's sm_80 kernels read it")
final class CusparseltSm80Test {
    private static final int ROWS = 256;
    private static final int EMPTY = 0xe;
    private static final int FIRST_TWO = 0x4;

    /// For each bit of a nibble's place, the row and chunk whose elements the kernels of cuSPARSELt
    /// 0.8.1 took by the nibble there: 2026-11-22, all other nibbles alike, a row of B for each bit
    /// of the chunk.
    private static final int[][] OF_16 = {
        {0, 1}, {0, 2}, {8, 0}, {0, 4}, {16, 0}, {1, 0}, {2, 0}, {4, 0}, {32, 0}, {64, 0}, {0, 8},
        {128, 0}, {0, 16}, {0, 32}, {0, 64},
    };

    private static final int[][] OF_8 = {
        {0, 1}, {0, 2}, {0, 4}, {8, 0}, {0, 8}, {1, 0}, {2, 0}, {4, 0},
        {16, 0}, {32, 0}, {64, 0}, {0, 16}, {128, 0}, {0, 32}, {0, 64}, {0, 128},
    };

    @Test
    void everyBitOfAPlaceIsWhereTheKernelsReadIt() {
        requirePlaces(FloatFormat.F16, OF_16);
        requirePlaces(FloatFormat.BF16, OF_16);
        requirePlaces(IntegerFormat.S8, OF_8);
    }

    private static void requirePlaces(Format format, int[][] places) {
        int columns = (4 << places.length) / ROWS;
        for (int bit = 0; bit < places.length; bit++) {
            Codes codes = Codes.zeros(format, (long) ROWS * columns);
            int first = places[bit][0] * columns + places[bit][1] * 4;
            codes.set(first, 1);
            codes.set(first + 1, 1);
            StoredMatrix stored =
                    StoredMatrix.compressed(
                            new Tensor(List.of(ROWS, columns), codes),
                            StorageFormats.named("cusparselt-sm80"));
            assertThat(stored.metadata().byteSize()).isEqualTo(1L << (places.length - 1));
            for (int place = 0; place < (1 << places.length); place++) {
                int pair = stored.metadata().get(ValueLayout.JAVA_BYTE, place / 2);
                assertThat((pair >> (4 * (place % 2))) & 0xf)
                        .isEqualTo(place == (1 << bit) ? FIRST_TWO : EMPTY);
            }
        }
    }
}
