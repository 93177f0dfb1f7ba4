package dev.heddle.isa;

import dev.heddle.formats.InputException;

/// The extents of a matrix product: A is `m` x `k`, B is `k` x `n`, C and D are `m` x `n`.
public record Shape(int m, int n, int k) {
    /// Reads `m16n8k16`.
    ///
    /// @throws InputException if the text is not of that pattern
    public static Shape parse(String text) {
        int n = text.indexOf('n');
        int k = text.indexOf('k');
        try {
            if (text.startsWith("m") && n > 0 && k > n) {
                return new Shape(
                        Integer.parseInt(text.substring(1, n)),
                        Integer.parseInt(text.substring(n + 1, k)),
                        Integer.parseInt(text.substring(k + 1)));
            }
        } catch (NumberFormatException e) {
            throw new InputException(refusal(text), e);
        }
        throw new InputException(refusal(text));
    }

    private static String refusal(String text) {
        return "shape \"" + text + "\": expected m, n and k with numbers, such as m16n8k16";
    }

    @Override
    public String toString() {
        return "m" + m + "n" + n + "k" + k;
    }
}
