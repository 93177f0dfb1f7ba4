package dev.heddle.vm;

import dev.heddle.formats.Format;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

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

    /// A tensor map (PTX ISA 5.5.8): a `CUtensorMap` over a buffer, as tensor copies take it.
    ///
    /// @param name of the buffer, by which its contents are read after the launch
    /// @param contents of the buffer, rows one after the other
    /// @param format of an element
    /// @param shape elements along each axis, the innermost first
    /// @param box elements of one copy along each axis
    /// @param swizzle bytes of a swizzled row in shared memory: 0, 32, 64 or 128
    @SuppressWarnings("ArrayRecordComponent")
    record TensorMap(
            String name,
            byte[] contents,
            Format format,
            List<Integer> shape,
            List<Integer> box,
            int swizzle)
            implements Argument {
        /// The bytes of the parameter.
        public static final int BYTES = 128;

        public TensorMap {
            shape = List.copyOf(shape);
            box = List.copyOf(box);
        }
    }

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

    /// A buffer with these contents.
    static Argument of(String name, byte[] contents) {
        return buffer(name, contents);
    }

    /// A buffer with these contents; also f16 and bf16 codes.
    static Argument of(String name, short[] contents) {
        byte[] bytes = new byte[Math.multiplyExact(contents.length, Short.BYTES)];
        little(bytes).asShortBuffer().put(contents);
        return buffer(name, bytes);
    }

    /// A buffer with these contents.
    static Argument of(String name, int[] contents) {
        byte[] bytes = new byte[Math.multiplyExact(contents.length, Integer.BYTES)];
        little(bytes).asIntBuffer().put(contents);
        return buffer(name, bytes);
    }

    /// A buffer with these contents.
    static Argument of(String name, long[] contents) {
        byte[] bytes = new byte[Math.multiplyExact(contents.length, Long.BYTES)];
        little(bytes).asLongBuffer().put(contents);
        return buffer(name, bytes);
    }

    /// A buffer with these contents.
    static Argument of(String name, float[] contents) {
        byte[] bytes = new byte[Math.multiplyExact(contents.length, Float.BYTES)];
        little(bytes).asFloatBuffer().put(contents);
        return buffer(name, bytes);
    }

    /// A buffer with these contents.
    static Argument of(String name, double[] contents) {
        byte[] bytes = new byte[Math.multiplyExact(contents.length, Double.BYTES)];
        little(bytes).asDoubleBuffer().put(contents);
        return buffer(name, bytes);
    }

    /// A buffer of zeros.
    static Argument zeros(String name, int bytes) {
        return new Buffer(name, bytes, new byte[bytes]);
    }

    /// A buffer that nobody wrote: reading it before writing it is an error.
    static Argument poison(String name, long bytes) {
        return new Buffer(name, bytes, null);
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    }
}
