package dev.heddle.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/// A `CUlaunchConfig` of the driver: a launch with attributes, as `cuLaunchKernelEx` takes it.
final class LaunchConfig {
    private static final StructLayout LAYOUT =
            MemoryLayout.structLayout(
                    MemoryLayout.sequenceLayout(7, ValueLayout.JAVA_INT),
                    MemoryLayout.paddingLayout(4),
                    ValueLayout.ADDRESS.withName("hStream"),
                    ValueLayout.ADDRESS.withName("attrs"),
                    ValueLayout.JAVA_INT.withName("numAttrs"),
                    MemoryLayout.paddingLayout(4));

    /// A `CUlaunchAttribute`: an id, and a value of 64 bytes behind it.
    private static final int ATTRIBUTE_BYTES = 72;

    private static final int VALUE = 8;
    private static final int COOPERATIVE = 2;
    private static final int CLUSTER_DIMENSION = 4;

    private LaunchConfig() {}

    static MemorySegment of(LaunchShape shape, Stream stream, Arena arena) {
        MemorySegment config = arena.allocate(LAYOUT);
        int[] numbers = {
            shape.grid().x(),
            shape.grid().y(),
            shape.grid().z(),
            shape.block().x(),
            shape.block().y(),
            shape.block().z(),
            shape.sharedBytes()
        };
        MemorySegment.copy(numbers, 0, config, ValueLayout.JAVA_INT, 0, numbers.length);
        MemorySegment attributes = arena.allocate(2L * ATTRIBUTE_BYTES, 8);
        int count = 0;
        LaunchShape.Extent cluster = shape.cluster();
        if (cluster != null) {
            int[] extents = {cluster.x(), cluster.y(), cluster.z()};
            put(attributes, count++, CLUSTER_DIMENSION, extents);
        }
        if (shape.cooperative()) {
            put(attributes, count++, COOPERATIVE, new int[] {1});
        }
        config.set(ValueLayout.ADDRESS, offset("hStream"), stream.handle());
        config.set(ValueLayout.ADDRESS, offset("attrs"), attributes);
        config.set(ValueLayout.JAVA_INT, offset("numAttrs"), count);
        return config;
    }

    private static void put(MemorySegment attributes, int index, int id, int[] value) {
        long start = (long) index * ATTRIBUTE_BYTES;
        attributes.set(ValueLayout.JAVA_INT, start, id);
        MemorySegment.copy(value, 0, attributes, ValueLayout.JAVA_INT, start + VALUE, value.length);
    }

    private static long offset(String field) {
        return LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement(field));
    }
}
