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

    /// Codes in bytes, little-endian; codes narrower than a byte share one, the first lowest.
    public static byte[] bytes(long[] codes, int bits) {
        byte[] bytes = new byte[(int) ((long) codes.length * bits / Byte.SIZE)];
        for (int i = 0; i < bytes.length; i++) {
            for (int bit = 0; bit < Byte.SIZE; bit += Math.min(bits, Byte.SIZE)) {
                long at = (long) i * Byte.SIZE + bit;
                bytes[i] |= (byte) (codes[(int) (at / bits)] >>> at % bits << bit);
            }
        }
        return bytes;
    }
}
