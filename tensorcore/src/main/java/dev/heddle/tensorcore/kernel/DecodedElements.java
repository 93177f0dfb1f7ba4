package dev.heddle.tensorcore.kernel;

/// Elements of a floating-point operand, one after the other: their values as `float`, and the
/// exponents with which they enter a fused sum.
final class DecodedElements {
    private final int[] words;
    private final int[] bits;
    private final FloatCode code;
    private final float[] values;
    private final int[] exponents;

    DecodedElements(ElementOrder order, FloatCode code) {
        this.words = order.words();
        this.bits = order.bits();
        this.code = code;
        this.values = new float[words.length];
        this.exponents = new int[words.length];
    }

    float[] values() {
        return values;
    }

    int[] exponents() {
        return exponents;
    }

    void read(int[] source) {
        for (int at = 0; at < values.length; at++) {
            int word = source[words[at]] >>> bits[at];
            values[at] = code.value(word);
            exponents[at] = code.exponent(word);
        }
    }
}
