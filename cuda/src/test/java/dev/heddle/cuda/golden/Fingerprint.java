package dev.heddle.cuda.golden;

import dev.heddle.tensorcore.golden.GoldenCase;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// What a recording of one form came to, in two short sums: as inputs follow from the seed, they
/// stand for all its cases without keeping any.
///
/// @param inputs over headers, registers and matrices of all cases: whether the same was drawn
/// @param results over all registers of D: whether the same came out
public record Fingerprint(String inputs, String results) {
    private static final int BYTES = 12;

    /// The fingerprint of the cases of a form, in their order.
    public static Fingerprint of(List<GoldenCase> cases) {
        MessageDigest inputs = digest();
        MessageDigest results = digest();
        for (GoldenCase golden : cases) {
            for (int[] words :
                    List.of(golden.header(), golden.a(), golden.b(), golden.c(), golden.e())) {
                inputs.update(bytes(words));
            }
            inputs.update(golden.matrixA());
            inputs.update(golden.matrixB());
            results.update(bytes(golden.d()));
        }
        return new Fingerprint(hex(inputs), hex(results));
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static byte[] bytes(int[] words) {
        ByteBuffer buffer =
                ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asIntBuffer().put(words);
        return buffer.array();
    }

    private static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }
}
