package dev.heddle.conformance.kernels;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// A hand-written kernel of instructions that compilers seldom emit, and what it must leave.
///
/// @param file of the kernel, in `kernels`
/// @param ctas of the launch
/// @param threads of a CTA
/// @param before the only buffer's content
/// @param after the same when the kernel has ended
record RareKernel(String file, int ctas, int threads, ByteBuffer before, ByteBuffer after) {
    /// Zeros, ones, subnormals, the largest, infinities and NaNs of f32, some not quite.
    static final int[] F32 = {
        0x0000_0000,
        0x8000_0000,
        0x3f80_0000,
        0xbf80_0001,
        0x0000_0001,
        0x8000_0001,
        0x007f_ffff,
        0x807f_ffff,
        0x0080_0000,
        0x8080_0001,
        0x7f7f_ffff,
        0x7300_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0001,
        0xff80_0001
    };

    /// Zeros, which a group fills.
    static ByteBuffer zeros(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Another buffer with the same bytes.
    static ByteBuffer copy(ByteBuffer bytes) {
        return zeros(bytes.capacity()).put(0, bytes, 0, bytes.capacity());
    }

    /// The bytes before the launch.
    byte[] data() {
        byte[] bytes = new byte[before.capacity()];
        before.get(0, bytes);
        return bytes;
    }

    String ptx() throws IOException {
        try (InputStream text = RareKernel.class.getResourceAsStream("/kernels/" + file + ".ptx")) {
            return new String(text.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Override
    public String toString() {
        return file;
    }

    private static boolean subnormal(float value) {
        return value != 0 && Math.abs(value) < Float.MIN_NORMAL;
    }

    /// A subnormal of f32 becomes zero, with its sign.
    static int flushed(int bits) {
        return subnormal(Float.intBitsToFloat(bits)) ? bits & 0x8000_0000 : bits;
    }
}
