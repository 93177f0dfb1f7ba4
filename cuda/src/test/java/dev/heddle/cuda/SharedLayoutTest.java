package dev.heddle.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.HashSet;
import java.util.Set;

@DisplayName("PTX ISA 9.7.15.5.1: matrices of wgmma in shared memory")
final class SharedLayoutTest {
    /// Offsets as recordings of an H200 have them, which computed the right products with them.
    @ParameterizedTest
    @CsvSource({
        "K_MAJOR_ALONG_K,       64, 32, 128, 256",
        "K_MAJOR_ALONG_K,        8, 64, 128, 512",
        "K_MAJOR_ALONG_ROWS,    64, 32, 1024, 128",
        "K_MAJOR_ALONG_ROWS,     8, 32, 128, 128",
        "SWIZZLE_128,           64, 32, 16, 1024",
        "SWIZZLE_64,             8, 64, 16, 512",
        "TRANSPOSED_ALONG_ROWS, 64, 32, 1024, 128",
        "TRANSPOSED_ALONG_ROWS,  8, 64, 128, 128",
        "TRANSPOSED_ALONG_K,    64, 32, 128, 256",
        "TRANSPOSED_ALONG_K,     8, 64, 128, 512"
    })
    void offsetsOfTheDescriptorFollowFromTheSize(
            SharedLayout layout, int rows, int rowBytes, int leading, int stride) {
        assertThat(layout.leadingOffset(rows)).isEqualTo(leading);
        assertThat(layout.strideOffset(rowBytes)).isEqualTo(stride);
        assertThat(layout.descriptor(0x2400, rows, rowBytes) & 0x3FFF_FFFF_FFFF_FFFFL)
                .isEqualTo(0x240L | leading / 16L << 16 | stride / 16L << 32);
    }

    @ParameterizedTest
    @EnumSource
    void everyByteHasAPlaceOfItsOwnWithinTheSize(SharedLayout layout) {
        int rows = 24;
        int rowBytes = 32;
        Set<Integer> taken = new HashSet<>();
        for (int r = 0; r < rows; r++) {
            for (int b = 0; b < rowBytes; b++) {
                int at = layout.offset(r, b, rows, rowBytes);
                assertThat(at).isBetween(0, layout.size(rows, rowBytes) - 1);
                assertThat(taken.add(at)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        // the second row of the second core matrix along K: its eight rows stand together
        "K_MAJOR_ALONG_K,       1, 16, 144",
        "K_MAJOR_ALONG_ROWS,    9, 17, 529",
        // rows 128 bytes apart, chunks of 16 bytes exchanged by the row's number
        "SWIZZLE_128,           1,  0, 144",
        "SWIZZLE_128,           9, 16, 1152",
        // two rows of 64 bytes share a chunk exchange
        "SWIZZLE_64,            2,  0, 144",
        "SWIZZLE_64,            3, 16, 192",
        // an element of row 1 stands beside that of row 0, one of k = 1 a row of 16 bytes on
        "TRANSPOSED_ALONG_K,    1,  0, 2",
        "TRANSPOSED_ALONG_K,    0,  2, 16",
        "TRANSPOSED_ALONG_ROWS, 8, 16, 512"
    })
    void bytesStandWhereTheManualPutsThem(SharedLayout layout, int row, int at, int offset) {
        assertThat(layout.offset(row, at, 24, 32)).isEqualTo(offset);
    }
}
