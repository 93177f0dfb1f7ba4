package dev.heddle.sparse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;

@DisplayName("cuSPARSELt's layout as others found it; its f32: rounded to tf32, metadata twice")
final class CusparseltTest {
    private static final StorageFormat CUSPARSELT = StorageFormats.named("cusparselt");

    private static Tensor dense(int code) {
        Codes codes = Codes.zeros(FloatFormat.F32, 64);
        codes.set(8, code);
        return new Tensor(List.of(8, 8), codes);
    }

    /// As an H100 stored them on 2026-11-22.
    @Test
    void finiteElementsAreStoredWithHalfOfWhatTf32Drops() {
        int[][] stored = {
            {0x3f800fff, 0x3f801fff},
            {0x7f7fefff, 0x7f7fffff},
            {0x80000001, 0x80001001},
            {0x7f800000, 0x7f800000},
            {0xff800000, 0xff800000},
            {0x7fc00000, 0x7fc00000},
            {0x7fffffff, 0x7fffffff},
        };
        for (int[] one : stored) {
            StoredMatrix compressed = StoredMatrix.compressed(dense(one[0]), CUSPARSELT);

            assertThat(compressed.values().get(ValueLayout.JAVA_INT_UNALIGNED, 16))
                    .isEqualTo(one[1]);
            assertThat(compressed.values().get(ValueLayout.JAVA_INT_UNALIGNED, 20))
                    .isEqualTo(0x1000);
            assertThat((int) compressed.expanded().codes().bits(8)).isEqualTo(one[0]);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x7f7ff000, 0x7f7fffff, 0xff7ff000})
    void whatRoundsToInfinityIsRefused(int code) {
        assertThatThrownBy(() -> StoredMatrix.compressed(dense(code), CUSPARSELT))
                .isInstanceOf(SparsityException.class)
                .hasMessageContaining("row 1, stored element 0 is")
                .hasMessageContaining("expected at most 3.4019927E38");
    }

    @Test
    void metadataThatContradictsItselfIsRefused() {
        StoredMatrix compressed = StoredMatrix.compressed(dense(0x3f800000), CUSPARSELT);
        long second = compressed.metadata().byteSize() / 2;
        byte pair = compressed.metadata().get(ValueLayout.JAVA_BYTE, second);
        compressed.metadata().set(ValueLayout.JAVA_BYTE, second, (byte) (pair ^ 0xa));

        assertThatThrownBy(compressed::expanded)
                .isInstanceOf(SparsityException.class)
                .hasMessage(
                        "row 0, chunk 0: the metadata in its second order does not say the same as"
                                + " in its first");
    }

    /// Where another project found the nibbles of f16 and bf16 on Hopper: flagos-ai/FlagGems,
    /// `_cslt_sparse_mm.py` at 0178552d, tiles of 32 rows x 8 chunks, two of which interleave.
    private static int asFlagGems(int row, int chunk, int columns) {
        int tilesAlongK = (columns / 4 + 7) / 8;
        int eight = row % 32 / 8;
        int inTile = row % 8 * 16 + eight % 2 + eight / 2 * 128 + chunk % 4 * 4 + chunk % 8 / 4 * 2;
        return row / 32 % 2 * 256 + chunk / 8 * 512 + row / 64 * tilesAlongK * 512 + inTile;
    }

    @ParameterizedTest
    @CsvSource({"64, 32", "128, 96", "192, 256", "96, 160", "16, 48"})
    void theLayoutIsTheOneThatFlagGemsFound(int rows, int columns) {
        int[] nibbles = {0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110};
        int[][] chosen = new int[rows][columns / 4];
        Codes codes = Codes.zeros(FloatFormat.F16, (long) rows * columns);
        Random random = new Random(17);
        for (int row = 0; row < rows; row++) {
            for (int chunk = 0; chunk < columns / 4; chunk++) {
                int nibble = nibbles[random.nextInt(nibbles.length)];
                int at = row * columns + 4 * chunk;
                chosen[row][chunk] = nibble;
                codes.set(at + (nibble & 3), 1);
                codes.set(at + (nibble >> 2), 1);
            }
        }
        StoredMatrix stored =
                StoredMatrix.compressed(new Tensor(List.of(rows, columns), codes), CUSPARSELT);

        for (int row = 0; row < rows; row++) {
            for (int chunk = 0; chunk < columns / 4; chunk++) {
                int place = asFlagGems(row, chunk, columns);
                int pair = stored.metadata().get(ValueLayout.JAVA_BYTE, place / 2);
                assertThat(pair >> 4 * (place % 2) & 0xf).isEqualTo(chosen[row][chunk]);
            }
        }
    }
}
