package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.tensorcore.numerics.Accumulation.IntegerSum;

/// Integer sums element by element, from codes.
record IntegerElements(
        TermReader terms, IntegerFormat formatA, IntegerFormat formatB, IntegerSum rule)
        implements ElementKernel.Element {
    @Override
    public long code(Inputs in, int row, int column) {
        terms.load(in, row, column);
        long sum = IntegerFormat.S32.toLong(terms.c(in, row, column));
        for (int k = 0; k < terms.a().length; k++) {
            sum += formatA.toLong(terms.a()[k]) * formatB.toLong(terms.b()[k]);
        }
        return rule.code(sum);
    }
}
