package dev.heddle.vm.compiler;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// How many lanes a vector has: as many as one of longs.
///
/// There is one shape: with two, the profiles of the methods that work on vectors would mix, and
/// the JIT would no longer know what kind of vector it holds.
final class VectorLanes {
    /// Longs, as many as the machine's vectors hold.
    static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;

    static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /// Words, as many as there are longs in a vector.
    static final VectorSpecies<Integer> WORDS =
            VectorSpecies.of(int.class, VectorShape.forBitSize(32 * LONGS.length()));

    static final VectorSpecies<Float> FLOATS =
            VectorSpecies.of(float.class, VectorShape.forBitSize(32 * LONGS.length()));

    private VectorLanes() {}
}
