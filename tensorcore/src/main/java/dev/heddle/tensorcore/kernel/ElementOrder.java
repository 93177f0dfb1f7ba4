package dev.heddle.tensorcore.kernel;

/// Where the elements of an operand are in its words, in the order in which a kernel walks them.
///
/// @param words for each element, the index of its word
/// @param bits  for each element, its lowest bit in that word
@SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
record ElementOrder(int[] words, int[] bits) {

    /// The elements of each row of A, k in this order.
    static ElementOrder rows(Placement a, int[] kAt) {
        ElementOrder order = ofCount(a.majors() * kAt.length);
        for (int row = 0; row < a.majors(); row++) {
            for (int position = 0; position < kAt.length; position++) {
                order.put(row * kAt.length + position, a, row, kAt[position]);
            }
        }
        return order;
    }

    /// The rows of B: of each k, the elements of all columns.
    static ElementOrder transposed(Placement b) {
        ElementOrder order = ofCount(b.majors() * b.minors());
        for (int k = 0; k < b.minors(); k++) {
            for (int column = 0; column < b.majors(); column++) {
                order.put(k * b.majors() + column, b, column, k);
            }
        }
        return order;
    }

    private static ElementOrder ofCount(int count) {
        return new ElementOrder(new int[count], new int[count]);
    }

    private void put(int at, Placement place, int major, int minor) {
        words[at] = place.word()[major * place.minors() + minor];
        bits[at] = place.bit()[major * place.minors() + minor];
    }
}
