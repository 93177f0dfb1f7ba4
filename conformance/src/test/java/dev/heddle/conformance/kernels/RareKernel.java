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
}
