package dev.heddle.tensorcore.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/// The vector shape of kernels with columns of D across the lanes: as wide as this machine has, and
/// at most eight lanes, for every D has a multiple of eight columns.
final class ColumnLanes {
    private static final boolean EIGHT = IntVector.SPECIES_PREFERRED.length() >= 8;

    static final VectorSpecies<Float> FLOAT =
            EIGHT ? FloatVector.SPECIES_256 : FloatVector.SPECIES_128;
    static final VectorSpecies<Integer> INT = EIGHT ? IntVector.SPECIES_256 : IntVector.SPECIES_128;
    static final int COUNT = INT.length();

    private ColumnLanes() {}
}
