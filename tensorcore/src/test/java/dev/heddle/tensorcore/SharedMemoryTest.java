package dev.heddle.tensorcore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.Form;
import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.isa.SwizzleMode;
import dev.heddle.tensorcore.numerics.Generation;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Random;

@DisplayName("PTX ISA 9.7.15.5.1.2: matrices in shared memory")
final class SharedMemoryTest {
    private static final long SEED = 97155;

    private static final TensorCore CORE =
            TensorCore.of(
                    Form.of("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"),
                    Generation.SM_90);

    /// The table of canonical layouts: K-major `((8,m),(T,2k)):((S,SBO),(1,T))`, or with stride LBO
    /// between the chunks of 16 bytes where there is no swizzle; then address bits 9..7 onto 6..4.
    @ParameterizedTest
    @EnumSource
    @DisplayName("PTX ISA 9.7.15.5.1.2.1.3: K-major")
    void kMajorRowsComeBack(SwizzleMode swizzle) {
        int rows = 64;
        int rowBytes = 32;
        int start = 2048;
        int strideOffset = swizzle == SwizzleMode.NONE ? 256 : 8 * swizzle.rowBytes();
        byte[] matrix = random(rows * rowBytes);
        byte[] memory = new byte[1 << 15];
        for (int row = 0; row < rows; row++) {
            for (int b = 0; b < rowBytes; b++) {
                int x =
                        swizzle == SwizzleMode.NONE
                                ? row / 8 * strideOffset + b / 16 * 128 + row % 8 * 16 + b % 16
                                : row / 8 * strideOffset + row % 8 * swizzle.rowBytes() + b;
                memory[folded(start + x, swizzle)] = matrix[row * rowBytes + b];
            }
        }
        int[] words = new int[rows * rowBytes / 4];
        CORE.load(
                Role.A,
                new MatrixDescriptor(start, 128, strideOffset, 0, swizzle),
                Major.K,
                SharedMemory.of(memory),
                words);

        assertThat(bytes(words)).isEqualTo(matrix);
    }

    /// `((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))` without swizzle,
    /// `((T,s,m),(8,k)):((1,T,LBO),(sT,SBO))` with one of `s` chunks.
    @ParameterizedTest
    @EnumSource
    @DisplayName("PTX ISA 9.7.15.5.1.2.1.3: MN-major")
    void mnMajorColumnsComeBack(SwizzleMode swizzle) {
        int rows = 64;
        int k = 16;
        int start = 4096;
        int chunks = swizzle.rowBytes() / 16;
        int leadingOffset = swizzle == SwizzleMode.NONE ? 1024 : 2 * 8 * swizzle.rowBytes();
        int strideOffset = swizzle == SwizzleMode.NONE ? 128 : 8 * swizzle.rowBytes();
        byte[] byK = random(rows * k * 2);
        byte[] memory = new byte[1 << 15];
        for (int at = 0; at < k; at++) {
            for (int row = 0; row < rows; row++) {
                int chunk = row / 8;
                int x =
                        swizzle == SwizzleMode.NONE
                                ? chunk * strideOffset + at % 8 * 16 + at / 8 * leadingOffset
                                : chunk % chunks * 16
                                        + chunk / chunks * leadingOffset
                                        + at % 8 * swizzle.rowBytes()
                                        + at / 8 * strideOffset;
                for (int b = 0; b < 2; b++) {
                    memory[folded(start + x + row % 8 * 2 + b, swizzle)] =
                            byK[(at * rows + row) * 2 + b];
                }
            }
        }
        int[] words = new int[rows * k / 2];
        CORE.load(
                Role.B,
                new MatrixDescriptor(start, leadingOffset, strideOffset, 0, swizzle),
                Major.MN,
                SharedMemory.of(memory),
                words);

        assertThat(bytes(words)).isEqualTo(byK);
    }

    private static int folded(int address, SwizzleMode swizzle) {
        int mask =
                switch (swizzle) {
                    case NONE -> 0;
                    case BYTES_32 -> 1;
                    case BYTES_64 -> 3;
                    case BYTES_128 -> 7;
                };
        return address ^ (address >> 7 & mask) << 4;
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(SEED).nextBytes(bytes);
        return bytes;
    }

    private static byte[] bytes(int[] words) {
        byte[] bytes = new byte[words.length * 4];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) (words[at / 4] >>> at % 4 * 8);
        }
        return bytes;
    }
}
