package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation.IntegerSum;

/// Integer sums from operands decoded once.
final class PlainIntegerProducts extends ElementProducts {
    private final Placement placeA;
    private final Placement placeB;
    private final Placement placeC;
    private final IntegerFormat formatA;
    private final IntegerFormat formatB;
    private final IntegerSum rule;
    private final int[] a;
    private final int[] b;
    private Inputs in = Inputs.NONE;

    PlainIntegerProducts(Form form, IntegerSum rule, Places places) {
        super(places.d(), IntegerFormat.S32);
        this.placeA = places.a();
        this.placeB = places.b();
        this.placeC = places.c();
        this.formatA = (IntegerFormat) form.type(Role.A);
        this.formatB = (IntegerFormat) form.type(Role.B);
        this.rule = rule;
        this.a = new int[placeA.majors() * placeA.minors()];
        this.b = new int[placeB.majors() * placeB.minors()];
    }

    @Override
    void read(Inputs inputs) {
        in = inputs;
        read(placeA, inputs.a(), formatA, a);
        read(placeB, inputs.b(), formatB, b);
    }

    private static void read(Placement place, int[] words, IntegerFormat format, int[] values) {
        int mask = (int) (-1L >>> (Long.SIZE - format.bits()));
        for (int at = 0; at < values.length; at++) {
            int code = words[place.word()[at]] >>> place.bit()[at] & mask;
            values[at] = (int) format.toLong(code);
        }
    }

    @Override
    long element(int row, int column, int[] selected, int from) {
        int stored = placeA.minors();
        int atA = row * stored;
        int atB = column * placeB.minors();
        long sum =
                in.accumulate()
                        ? IntegerFormat.S32.toLong(
                                placeC.code(in.c(), row, column, IntegerFormat.S32.bits()))
                        : 0;
        for (int k = 0; k < stored; k++) {
            sum += (long) a[atA + k] * b[atB + selected[from + k]];
        }
        return rule.code(sum);
    }
}
