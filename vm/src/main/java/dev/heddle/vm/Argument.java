package dev.heddle.vm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// An argument of a launch, in the order of the kernel's parameters.
public sealed interface Argument {

    /// The parameter's bytes, little-endian: a scalar or a whole struct.
    ///
    /// @param bytes as many as the parameter has
    @SuppressWarnings("ArrayRecordComponent")
    record Value(byte[] bytes) implements Argument {}

    /// A buffer in global memory; the kernel gets its address. Two arguments with one name share
    /// one buffer.
    ///
    /// @param name by which its contents are read after the launch
    /// @param bytes its size
    /// @param contents what it holds before the launch, or null for bytes nobody wrote
    @SuppressWarnings("ArrayRecordComponent")
    record Buffer(String name, long bytes, byte @Nullable [] contents) implements Argument {}

    /// A 32-bit integer.
    static Argument s32(int value) {
        return new Value(bytes(4).putInt(value).array());
    }

    /// A 64-bit integer.
    static Argument s64(long value) {
        return new Value(bytes(8).putLong(value).array());
    }

    /// A single-precision number.
    static Argument f32(float value) {
        return new Value(bytes(4).putFloat(value).array());
    }

    /// A double-precision number.
    static Argument f64(double value) {
        return new Value(bytes(8).putDouble(value).array());
    }

    /// A buffer with these contents.
    static Argument buffer(String name, byte[] contents) {
        return new Buffer(name, contents.length, contents);
    }

    /// A buffer of zeros.
    static Argument zeros(String name, int bytes) {
        return new Buffer(name, bytes, new byte[bytes]);
    }

    /// A buffer that nobody wrote: reading it before writing it is an error.
    static Argument poison(String name, long bytes) {
        return new Buffer(name, bytes, null);
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    }
}
