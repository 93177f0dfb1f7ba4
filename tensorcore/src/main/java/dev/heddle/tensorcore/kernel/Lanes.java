package dev.heddle.tensorcore.kernel;

import dev.heddle.tensorcore.x86.Processor;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorSpecies;

/// The vector shape of kernels with rows of D across the lanes: one for each of a block of sixteen.
/// Machines without such vectors have columns there ([ColumnLanes]).
///
/// A vector that a loop carries from round to round is an argument there, never the receiver: of
/// what was just computed the JIT knows the class, of a variable it has only what was counted so
/// far, and where that is nothing yet, the method stays a call and each vector an object.
final class Lanes {
    static final int COUNT = 16;
    static final VectorSpecies<Float> FLOAT = FloatVector.SPECIES_512;
    static final VectorSpecies<Integer> INT = IntVector.SPECIES_512;
    static final VectorSpecies<Short> SHORT = ShortVector.SPECIES_512;

    private Lanes() {}

    /// Whether this machine has vectors of that shape; without them every vector is an object.
    static boolean native512() {
        return Processor.compilesVectors() && IntVector.SPECIES_PREFERRED.length() >= COUNT;
    }
}
