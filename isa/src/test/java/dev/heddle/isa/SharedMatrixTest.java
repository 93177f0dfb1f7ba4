package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.isa.SharedMatrix.Major;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PTX ISA 9.7.15.5.1.2: matrices in shared memory")
final class SharedMatrixTest {
    private static final int BASE = 4096;

    private static SharedMatrix matrix(
            SwizzleMode mode, int leading, int stride, Major major, int elementBits) {
        return new SharedMatrix(
                new MatrixDescriptor(BASE, leading, stride, 0, mode), major, elementBits);
    }

    @Test
    @DisplayName("figure 166: K major, no swizzle, tf32: ((8,2),(4,4)):((4,32),(1,64)) elements")
    void kMajorWithoutSwizzle() {
        SharedMatrix matrix = matrix(SwizzleMode.NONE, 64 * 4, 32 * 4, Major.K, 32);
        for (int m = 0; m < 16; m++) {
            for (int k = 0; k < 16; k++) {
                int element = m % 8 * 4 + m / 8 * 32 + k % 4 + k / 4 * 64;
                assertThat(matrix.bitAddress(m, k)).isEqualTo((BASE + element * 4L) * 8);
            }
        }
    }

    @Test
    @DisplayName(
            "figure 167: K major, 32-byte swizzle, tf32: ((8,2),(4,4)):((8,64),(1,4)) elements")
    void kMajorWithSwizzle() {
        SharedMatrix matrix = matrix(SwizzleMode.BYTES_32, 16, 64 * 4, Major.K, 32);
        for (int m = 0; m < 16; m++) {
            for (int k = 0; k < 8; k++) {
                int x = (m % 8 * 8 + m / 8 * 64 + k % 4 + k / 4 * 4) * 4;
                int swizzled = x ^ ((x >> 7 & 1) << 4);
                assertThat(matrix.bitAddress(m, k)).isEqualTo((BASE + swizzled) * 8L);
            }
        }
    }

    @Test
    @DisplayName(
            "figure 168: MN major, no swizzle, bf16: ((8,1,2),(8,2)):((1,8,64),(8,128)) elements")
    void mnMajorWithoutSwizzle() {
        SharedMatrix matrix = matrix(SwizzleMode.NONE, 128 * 2, 64 * 2, Major.MN, 16);
        for (int m = 0; m < 16; m++) {
            for (int k = 0; k < 16; k++) {
                int element = m % 8 + m / 8 * 64 + k % 8 * 8 + k / 8 * 128;
                assertThat(matrix.bitAddress(m, k)).isEqualTo((BASE + element * 2L) * 8);
            }
        }
    }

    @Test
    @DisplayName(
            "figure 170: MN major, 64-byte swizzle, bf16: ((8,4,2),(8,2)):((1,8,256),(32,512))")
    void mnMajorWithSwizzle() {
        SharedMatrix matrix = matrix(SwizzleMode.BYTES_64, 256 * 2, 512 * 2, Major.MN, 16);
        for (int m = 0; m < 64; m++) {
            for (int k = 0; k < 16; k++) {
                int x = (m % 8 + m / 8 % 4 * 8 + m / 32 * 256 + k % 8 * 32 + k / 8 * 512) * 2;
                int swizzled = x ^ ((x >> 7 & 3) << 4);
                assertThat(matrix.bitAddress(m, k)).isEqualTo((BASE + swizzled) * 8L);
            }
        }
    }

    @Test
    @DisplayName("9.7.15.5.1.2.2: the fields of a descriptor")
    void descriptorFieldsStandWhereTheTableSays() {
        MatrixDescriptor descriptor =
                new MatrixDescriptor(0x12340, 64 * 4, 32 * 4, 5, SwizzleMode.BYTES_64);
        long register = descriptor.encode();
        assertThat(register & 0x3FFF).isEqualTo(0x1234);
        assertThat(register >>> 16 & 0x3FFF).isEqualTo(16);
        assertThat(register >>> 32 & 0x3FFF).isEqualTo(8);
        assertThat(register >>> 49 & 7).isEqualTo(5);
        assertThat(register >>> 62).isEqualTo(2);
        assertThat(MatrixDescriptor.decode(register)).isEqualTo(descriptor);
    }

    @Test
    void refusesALengthThatTheFieldCannotHold() {
        assertThatThrownBy(() -> new MatrixDescriptor(8, 0, 0, 0, SwizzleMode.NONE))
                .hasMessage("start address 8: expected a multiple of 16 up to 262128 bytes");
    }
}
