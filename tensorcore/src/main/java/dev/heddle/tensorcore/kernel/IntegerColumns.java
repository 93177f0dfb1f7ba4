package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.F2I;
import static jdk.incubator.vector.VectorOperators.I2F;
import static jdk.incubator.vector.VectorOperators.LSHL;

import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation.IntegerSum;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

import java.util.stream.IntStream;

/// Integer sums by vectors of columns, for machines without vectors of 512 bits.
///
/// The elements are `float` values, which hold all products and their sums exactly: at most 64
/// products of 16 bits.
final class IntegerColumns implements PlainKernel.Products {
    private final Placement placeC;
    private final Placement placeD;
    private final IntegerSum rule;
    private final int stored;
    private final int columns;
    private final Elements a;
    private final Elements b;
    private final int[] sums;

    IntegerColumns(Form form, IntegerSum rule, Places places) {
        this.placeC = places.c();
        this.placeD = places.d();
        this.rule = rule;
        this.stored = places.a().minors();
        this.columns = places.d().minors();
        int[] ascending = IntStream.range(0, stored).toArray();
        this.a = new Elements(ElementOrder.rows(places.a(), ascending), form.type(Role.A));
        this.b = new Elements(ElementOrder.transposed(places.b()), form.type(Role.B));
        this.sums = new int[places.d().majors() * columns];
    }

    @Override
    public void multiply(Inputs in, int[] selected, int perRow, int[] result) {
        a.read(in.a());
        b.read(in.b());
        sum(selected, perRow);
        for (int row = 0; row < placeD.majors(); row++) {
            for (int column = 0; column < columns; column++) {
                long sum = sums[row * columns + column];
                if (in.accumulate()) {
                    sum += placeC.load(in.c(), row, column);
                }
                placeD.store(result, row, column, Integer.SIZE, rule.code(sum));
            }
        }
    }

    private void sum(int[] selected, int perRow) {
        float[] av = a.values;
        float[] bv = b.values;
        for (int row = 0; row < placeD.majors(); row++) {
            for (int column = 0; column < columns; column += ColumnLanes.COUNT) {
                FloatVector even = FloatVector.zero(ColumnLanes.FLOAT);
                FloatVector odd = even;
                for (int k = 0; k < stored; k += 2) {
                    int y0 = selected[row * perRow + k] * columns + column;
                    int y1 = selected[row * perRow + k + 1] * columns + column;
                    even =
                            FloatVector.fromArray(ColumnLanes.FLOAT, bv, y0)
                                    .mul(av[row * stored + k])
                                    .add(even);
                    odd =
                            FloatVector.fromArray(ColumnLanes.FLOAT, bv, y1)
                                    .mul(av[row * stored + k + 1])
                                    .add(odd);
                }
                ((IntVector) even.add(odd).convert(F2I, 0)).intoArray(sums, row * columns + column);
            }
        }
    }

    /// The elements of an operand.
    private static final class Elements {
        private final int[] words;
        // How far left an element goes to end at the top of its word
        private final int[] toTop;
        private final int unused;
        private final int kept;
        private final float[] values;

        Elements(ElementOrder order, Format type) {
            IntegerFormat format = (IntegerFormat) type;
            this.words = order.words();
            this.unused = Integer.SIZE - format.bits();
            this.kept = format.signed() ? -1 : (int) format.mask();
            this.toTop = order.bits().clone();
            for (int at = 0; at < toTop.length; at++) {
                toTop[at] = unused - toTop[at];
            }
            this.values = new float[words.length];
        }

        void read(int[] source) {
            for (int at = 0; at < values.length; at += ColumnLanes.COUNT) {
                IntVector value =
                        IntVector.fromArray(ColumnLanes.INT, source, 0, words, at)
                                .lanewise(LSHL, IntVector.fromArray(ColumnLanes.INT, toTop, at))
                                .lanewise(ASHR, unused)
                                .and(kept);
                ((FloatVector) value.convert(I2F, 0)).intoArray(values, at);
            }
        }
    }
}
