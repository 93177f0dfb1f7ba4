package dev.heddle.tensorcore.kernel;

/// Elements of a floating-point operand, one after the other: their values as `float`, and the
/// exponents with which they enter a fused sum.
final class DecodedElements {
    private final FloatCode code;
    private final int[] words;
    private final int[] bits;
    private final float[] values;
    private final int[] exponents;

    private DecodedElements(FloatCode code, int count) {
        this.code = code;
        this.words = new int[count];
        this.bits = new int[count];
        this.values = new float[count];
        this.exponents = new int[count];
    }

    /// The elements of each row of A, k in this order.
    static DecodedElements rows(Placement place, int[] kAt, FloatCode code) {
        DecodedElements elements = new DecodedElements(code, place.majors() * kAt.length);
        for (int row = 0; row < place.majors(); row++) {
            for (int position = 0; position < kAt.length; position++) {
                elements.put(row * kAt.length + position, place, row, kAt[position]);
            }
        }
        return elements;
    }

    /// The rows of B: of each k, the elements of all columns.
    static DecodedElements transposed(Placement place, FloatCode code) {
        DecodedElements elements = new DecodedElements(code, place.majors() * place.minors());
        for (int k = 0; k < place.minors(); k++) {
            for (int column = 0; column < place.majors(); column++) {
                elements.put(k * place.majors() + column, place, column, k);
            }
        }
        return elements;
    }

    private void put(int at, Placement place, int major, int minor) {
        words[at] = place.word()[major * place.minors() + minor];
        bits[at] = place.bit()[major * place.minors() + minor];
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
