package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.F2I;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// The terms of a product with columns of B across the lanes and elements of A broadcast: a row of
/// D after the other, all in one block.
///
/// A sparse A only changes which row of B an element multiplies, the same in all lanes. So it needs
/// no permutation, and vectors of any width that has no more lanes than D has columns: eight or
/// four.
final class ColumnTerms implements FusedTerms {
    private final int rows;
    private final int columns;
    private final int[] kAt;
    private final DecodedElements a;
    private final DecodedElements b;
    private int[] selected = new int[0];
    private int perRow;

    ColumnTerms(Places places, KOrder order, FloatCode codeA, FloatCode codeB) {
        this.rows = places.d().majors();
        this.columns = places.d().minors();
        this.kAt = order.kAt();
        this.a = new DecodedElements(ElementOrder.rows(places.a(), kAt), codeA);
        this.b = new DecodedElements(ElementOrder.transposed(places.b()), codeB);
    }

    /// Which rows of B the elements of A multiply in the product to come.
    ///
    /// @param ofRows for each stored k of each row of A, the k of B
    /// @param each   how many of them are a row's; 0 if all rows share them
    void select(int[] ofRows, int each) {
        selected = ofRows;
        perRow = each;
    }

    @Override
    public void read(int[] wordsA, int[] wordsB) {
        a.read(wordsA);
        b.read(wordsB);
    }

    @Override
    public void findLargest(int block, int first, int end, VectorFusedSum sums) {
        int[] ae = a.exponents();
        int[] be = b.exponents();
        int[] largest = sums.largest();
        for (int row = 0; row < rows; row++) {
            int x = row * kAt.length;
            int from = row * perRow;
            for (int column = 0; column < columns; column += ColumnLanes.COUNT) {
                int at = row * columns + column;
                IntVector most = IntVector.fromArray(ColumnLanes.INT, largest, at);
                for (int position = first; position < end; position++) {
                    int y = selected[from + kAt[position]] * columns + column;
                    most =
                            IntVector.fromArray(ColumnLanes.INT, be, y)
                                    .add(ae[x + position])
                                    .max(most);
                }
                most.intoArray(largest, at);
            }
        }
    }

    @Override
    public void sum(int block, int first, int end, int negation, VectorFusedSum sums) {
        float[] av = a.values();
        float[] bv = b.values();
        float[] scales = sums.scales(negation);
        for (int row = 0; row < rows; row++) {
            int x = row * kAt.length;
            int from = row * perRow;
            for (int column = 0; column < columns; column += ColumnLanes.COUNT) {
                int at = row * columns + column;
                FloatVector scale = FloatVector.fromArray(ColumnLanes.FLOAT, scales, at);
                IntVector even = IntVector.zero(ColumnLanes.INT);
                IntVector odd = even;
                for (int position = first; position < end; position += 2) {
                    int y0 = selected[from + kAt[position]] * columns + column;
                    int y1 = selected[from + kAt[position + 1]] * columns + column;
                    FloatVector b0 = FloatVector.fromArray(ColumnLanes.FLOAT, bv, y0);
                    FloatVector b1 = FloatVector.fromArray(ColumnLanes.FLOAT, bv, y1);
                    FloatVector term0 = b0.mul(av[x + position]).mul(scale);
                    FloatVector term1 = b1.mul(av[x + position + 1]).mul(scale);
                    even = ((IntVector) term0.convert(F2I, 0)).add(even);
                    odd = ((IntVector) term1.convert(F2I, 0)).add(odd);
                }
                even.intoArray(sums.sum0(), at);
                odd.intoArray(sums.sum1(), at);
            }
        }
    }
}
