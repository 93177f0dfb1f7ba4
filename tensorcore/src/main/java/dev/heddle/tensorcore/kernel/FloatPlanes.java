package dev.heddle.tensorcore.kernel;

/// Decoded elements: their values and the exponents with which they enter a fused sum.
@SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
record FloatPlanes(float[] values, int[] exponents) {
    FloatPlanes(int elements) {
        this(new float[elements], new int[elements]);
    }
}
