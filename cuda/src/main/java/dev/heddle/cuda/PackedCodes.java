package dev.heddle.cuda;

/// Element codes packed into registers and bytes, the first element lowest.
public final class PackedCodes {
    private PackedCodes() {}

    /// Codes in 32-bit words; a code of 64 bits is two words, the low one first.
    public static int[] words(long[] codes, int bits) {
        int[] words = new int[(int) ((long) codes.length * bits / Integer.SIZE)];
        for (int i = 0; i < codes.length; i++) {
            long at = (long) i * bits;
            int word = (int) (at / Integer.SIZE);
            words[word] |= (int) (codes[i] << at % Integer.SIZE);
            if (bits == Long.SIZE) {
                words[word + 1] = (int) (codes[i] >>> Integer.SIZE);
            }
        }
        return words;
    }

    /// Codes of whole bytes, little-endian.
    public static byte[] bytes(long[] codes, int bits) {
        int size = bits / Byte.SIZE;
        byte[] bytes = new byte[codes.length * size];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (codes[i / size] >>> i % size * Byte.SIZE);
        }
        return bytes;
    }
}
