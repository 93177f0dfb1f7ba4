package dev.heddle.conformance.functions;

import dev.heddle.tensorcore.functions.RealFunction;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// Functions of real numbers on many inputs at once, nearly exact: within 2^-48 of their values.
///
/// The vector library states the errors of `java.lang.Math`, 2.5 units in the last place (2^-52) or
/// less. Whether that holds is looked at as it goes: the first of every so many is compared with
/// `java.lang.Math` itself.
final class Nearly {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final double MARGIN = 0x1p-48;
    private static final double LN2 = Math.log(2);

    private Nearly() {}

    /// One vector.
    private interface Lanes {
        DoubleVector of(DoubleVector x);
    }

    /// @throws AssertionError where the first value is farther from that of `java.lang.Math` than
    ///     both may be from the true one
    static void values(RealFunction function, double[] inputs, double[] values) {
        // A loop for each: the library keeps vectors out of memory only where it knows the
        // function.
        switch (function) {
            case EX2 -> {
                DoubleVector two = DoubleVector.broadcast(SPECIES, 2);
                map(inputs, values, x -> two.lanewise(VectorOperators.POW, x));
            }
            case LG2 -> map(inputs, values, x -> x.lanewise(VectorOperators.LOG).div(LN2));
            case RCP -> map(inputs, values, x -> DoubleVector.broadcast(SPECIES, 1).div(x));
            case RSQRT ->
                    map(inputs, values, x -> DoubleVector.broadcast(SPECIES, 1).div(x.sqrt()));
            case SQRT -> map(inputs, values, DoubleVector::sqrt);
            case SIN -> map(inputs, values, x -> x.lanewise(VectorOperators.SIN));
            case COS -> map(inputs, values, x -> x.lanewise(VectorOperators.COS));
            case TANH -> map(inputs, values, x -> x.lanewise(VectorOperators.TANH));
        }
        double expected = function.near(inputs[0]);
        boolean close =
                values[0] == expected
                        || Double.isNaN(values[0]) && Double.isNaN(expected)
                        || Math.abs(values[0] - expected) <= MARGIN / 2 * Math.abs(expected);
        if (!close) {
            throw new AssertionError(
                    "%s of %s: %s, java.lang.Math has %s"
                            .formatted(function, inputs[0], values[0], expected));
        }
    }

    private static void map(double[] inputs, double[] values, Lanes function) {
        for (int i = 0; i < inputs.length; i += SPECIES.length()) {
            function.of(DoubleVector.fromArray(SPECIES, inputs, i)).intoArray(values, i);
        }
    }
}
