package dev.heddle.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// The values of a kernel's parameters in order, laid out once for any number of launches.
///
/// ```java
/// Arguments arguments = Arguments.builder().address(input).address(output).s32(n).build();
/// ```
/// The driver copies them when a launch is enqueued. It takes each value's size from the kernel:
/// an argument must be as wide as its `.param`.
public final class Arguments {
    private final MemorySegment pointers;

    private Arguments(MemorySegment pointers) {
        this.pointers = pointers;
    }

    /// Starts a list of arguments.
    public static Builder builder() {
        return new Builder();
    }

    MemorySegment pointers() {
        return pointers;
    }

    /// Collects arguments in the order of the kernel's parameters.
    public static final class Builder {
        // Strictest alignment of a parameter: a tensor map wants 64 bytes.
        private static final int ALIGNMENT = 64;

        private final Arena arena = Arena.ofAuto();
        private final List<MemorySegment> values = new ArrayList<>();

        private Builder() {}

        /// A 32-bit value: `.u32`, `.s32`, `.b32`.
        public Builder s32(int value) {
            values.add(arena.allocateFrom(ValueLayout.JAVA_INT, value));
            return this;
        }

        /// A 64-bit value: `.u64`, `.s64`, `.b64`, also an address.
        public Builder s64(long value) {
            values.add(arena.allocateFrom(ValueLayout.JAVA_LONG, value));
            return this;
        }

        /// A 32-bit float.
        public Builder f32(float value) {
            values.add(arena.allocateFrom(ValueLayout.JAVA_FLOAT, value));
            return this;
        }

        /// A 64-bit float.
        public Builder f64(double value) {
            values.add(arena.allocateFrom(ValueLayout.JAVA_DOUBLE, value));
            return this;
        }

        /// The address of device memory.
        public Builder address(DeviceMemory memory) {
            return s64(memory.address());
        }

        /// A parameter of any other kind, by its bytes: `.b8 p[n]`, a structure, 8 or 16 bits.
        public Builder bytes(MemorySegment value) {
            values.add(arena.allocate(value.byteSize(), ALIGNMENT).copyFrom(value));
            return this;
        }

        /// A tensor map, passed by value (`.param .align 64 .b8 p[128]`).
        public Builder tensorMap(EncodedTensorMap map) {
            return bytes(map.bytes());
        }

        /// The arguments so far.
        public Arguments build() {
            MemorySegment pointers =
                    arena.allocate(ValueLayout.ADDRESS, Math.max(1, values.size()));
            for (int i = 0; i < values.size(); i++) {
                pointers.setAtIndex(ValueLayout.ADDRESS, i, values.get(i));
            }
            return new Arguments(pointers);
        }
    }
}
