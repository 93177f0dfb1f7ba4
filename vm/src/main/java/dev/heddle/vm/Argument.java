package dev.heddle.vm;

import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.vm.texture.Sampler;
import dev.heddle.vm.texture.TexelArray.Layering;
import dev.heddle.vm.texture.TexelFormat;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/// An argument of a launch, in the order of the kernel's parameters.
public sealed interface Argument {

    /// The parameter's bytes, little-endian: a scalar or a whole struct.
    ///
    /// @param bytes as many as the parameter has
    @SuppressWarnings("ArrayRecordComponent")
    record Value(byte[] bytes) implements Argument {}

    /// A buffer in global memory; the kernel gets its address. Two of one name are one buffer, with
    /// the contents of the first.
    ///
    /// @param name by which its contents are read after the launch
    /// @param bytes its size
    /// @param contents what it holds before the launch, or null for bytes nobody wrote
    @SuppressWarnings("ArrayRecordComponent")
    record Buffer(String name, long bytes, byte @Nullable [] contents) implements Argument {}

    /// The address of a place in a buffer that the launch, or an earlier one of the same run,
    /// names.
    ///
    /// @param buffer its name
    /// @param offset of the place, in bytes
    record Address(String buffer, long offset) implements Argument, Embedded {
        public Address {
            if (offset < 0) {
                throw new InputException(
                        "%s%d: an offset is not negative".formatted(buffer, offset));
            }
        }

        @Override
        public String toString() {
            return offset == 0 ? buffer : buffer + "+" + offset;
        }
    }

    /// What only the launch can fill in, because it depends on where a buffer lies.
    sealed interface Embedded extends Argument permits Address, TensorMap, Texture, Surface {
        /// How many bytes it takes: those of an address or handle, but for tensor maps.
        default int size() {
            return Long.BYTES;
        }
    }

    /// A structure: bytes, and what is written over them at the launch.
    ///
    /// @param bytes as many as the parameter has
    /// @param at addresses and tensor maps by the offset of their first byte
    @SuppressWarnings("ArrayRecordComponent")
    record Structure(byte[] bytes, SortedMap<Integer, Embedded> at) implements Argument {
        public Structure {
            at = Collections.unmodifiableSortedMap(new TreeMap<>(at));
            int end = 0;
            for (Map.Entry<Integer, Embedded> one : at.entrySet()) {
                Embedded part = one.getValue();
                if (one.getKey() < end) {
                    throw new InputException(
                            "%s at %d: the bytes before %d are taken"
                                    .formatted(part, one.getKey(), end));
                }
                end = Math.addExact(one.getKey(), part.size());
                if (end > bytes.length) {
                    throw new InputException(
                            "%s at %d takes %d bytes; the structure ends at %d"
                                    .formatted(part, one.getKey(), part.size(), bytes.length));
                }
            }
        }
    }

    /// A tensor map over a buffer: a `CUtensorMap` of `cuTensorMapEncodeTiled`,
    /// `cuTensorMapEncodeIm2col` or `cuTensorMapEncodeIm2colWide` (PTX ISA 5.5.8). The axes go from
    /// the innermost, whose elements are adjacent, outwards.
    ///
    /// @param base where the tensor begins
    /// @param format of an element
    /// @param shape elements along each axis
    /// @param strides bytes from one element to the next along each axis but the first
    /// @param box what one copy takes
    /// @param elementStrides along each axis: every n-th element is copied
    /// @param swizzle bytes of a swizzled row in shared memory: 0, 32, 64, 96 or 128
    /// @param atomicity of a swizzle of 128 bytes
    /// @param interleave bytes of a slice of channels: 0, 16 or 32
    /// @param fill what elements outside the tensor read as
    /// @param padded whether sixteen elements of 4 bits take 16 bytes of shared memory; those of 6
    ///     bits always do
    record TensorMap(
            Address base,
            Format format,
            List<Long> shape,
            List<Long> strides,
            Box box,
            List<Integer> elementStrides,
            int swizzle,
            Atomicity atomicity,
            int interleave,
            Fill fill,
            boolean padded)
            implements Argument, Embedded {
        /// The bytes of the parameter.
        public static final int BYTES = 128;

        public TensorMap {
            shape = List.copyOf(shape);
            strides = List.copyOf(strides);
            elementStrides = List.copyOf(elementStrides);
        }

        /// Tiles of whole bytes an element.
        ///
        /// @param box elements of one copy along each axis
        public TensorMap(
                Address base,
                Format format,
                List<Long> shape,
                List<Long> strides,
                List<Integer> box,
                List<Integer> elementStrides,
                int swizzle,
                int interleave,
                Fill fill) {
            this(
                    base,
                    format,
                    shape,
                    strides,
                    new Tile(box),
                    elementStrides,
                    swizzle,
                    Atomicity.BYTES_16,
                    interleave,
                    fill,
                    false);
        }

        /// What one copy takes.
        public sealed interface Box permits Tile, Columns, Wide {}

        /// Tile mode (PTX ISA 5.5.3).
        ///
        /// @param extents elements along each axis
        public record Tile(List<Integer> extents) implements Box {
            public Tile {
                extents = List.copyOf(extents);
            }
        }

        /// im2col mode (PTX ISA 5.5.4). The innermost axis are channels, the last are images.
        ///
        /// @param lower corner of the bounding box along the axes between, the inner first
        /// @param upper corner, counted from the far end of the tensor
        /// @param channels of a pixel
        /// @param pixels of one copy
        public record Columns(List<Integer> lower, List<Integer> upper, int channels, int pixels)
                implements Box {
            public Columns {
                lower = List.copyOf(lower);
                upper = List.copyOf(upper);
            }
        }

        /// `im2col::w` and `im2col::w::128` modes (PTX ISA 5.5.5): pixels along W alone.
        ///
        /// @param lower corner of the bounding box along W
        /// @param upper corner, counted from the far end of the tensor
        /// @param channels of a pixel
        /// @param pixels of one copy without its halo; empty for the 128 of `im2col::w::128`
        public record Wide(int lower, int upper, int channels, OptionalInt pixels) implements Box {}

        /// How many bytes a swizzle of 128 bytes keeps together (PTX ISA 5.5.7, table 14).
        public enum Atomicity {
            BYTES_16,
            BYTES_32,
            /// With the halves of each 16 bytes exchanged in every second line.
            BYTES_32_FLIP_8,
            BYTES_64
        }

        /// What elements outside the tensor read as.
        public enum Fill {
            ZERO,
            NAN
        }

        @Override
        public int size() {
            return BYTES;
        }

        @Override
        public String toString() {
            return "tensor map over " + base;
        }
    }

    /// Texels in a buffer, packed, row by row and level by level.
    ///
    /// @param base where the first is
    /// @param format of a texel
    /// @param width texels of a row
    /// @param height rows; 0 for one dimension
    /// @param depth slices, layers or faces; 0 for none
    /// @param layering what the slices are
    record Texels(
            Address base, TexelFormat format, int width, int height, int depth, Layering layering) {
        /// Bytes of a level of detail.
        ///
        /// @param level 0 for the finest
        public long bytes(int level) {
            return (long) format.bytes()
                    * extent(width, level)
                    * extent(height, level)
                    * (layering == Layering.NONE ? extent(depth, level) : Math.max(1, depth));
        }

        private static long extent(int finest, int level) {
            return Math.max(1, finest >> level);
        }
    }

    /// A texture object over a buffer, whose handle the kernel gets (`cudaTextureObject_t`, or the
    /// value of a `.texref` variable).
    ///
    /// @param texels of the finest level; the others follow
    /// @param levels of detail
    /// @param sampler how it is read
    record Texture(Texels texels, int levels, Sampler sampler) implements Argument, Embedded {}

    /// A surface object over a buffer, whose handle the kernel gets (`cudaSurfaceObject_t`).
    record Surface(Texels texels) implements Argument, Embedded {}

    /// The addresses in it.
    default List<Address> addresses() {
        return switch (this) {
            case Value _ -> List.of();
            case Buffer(String name, _, _) -> List.of(new Address(name, 0));
            case Address address -> List.of(address);
            case TensorMap map -> List.of(map.base());
            case Texture texture -> List.of(texture.texels().base());
            case Surface surface -> List.of(surface.texels().base());
            case Structure(_, var at) ->
                    at.values().stream().flatMap(one -> one.addresses().stream()).toList();
        };
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
        return buffer(name, MemorySegment.ofArray(contents));
    }

    /// A buffer with these contents.
    static Argument of(String name, int[] contents) {
        return buffer(name, MemorySegment.ofArray(contents));
    }

    /// A buffer with these contents.
    static Argument of(String name, long[] contents) {
        return buffer(name, MemorySegment.ofArray(contents));
    }

    /// A buffer with these contents.
    static Argument of(String name, float[] contents) {
        return buffer(name, MemorySegment.ofArray(contents));
    }

    /// A buffer with these contents.
    static Argument of(String name, double[] contents) {
        return buffer(name, MemorySegment.ofArray(contents));
    }

    /// A buffer of zeros.
    static Argument zeros(String name, int bytes) {
        return new Buffer(name, bytes, new byte[bytes]);
    }

    /// The address of a buffer that the launch has, or an earlier launch of the same run had.
    static Argument address(String buffer) {
        return new Address(buffer, 0);
    }

    /// A buffer that nobody wrote: reading it before writing it is an error.
    static Argument poison(String name, long bytes) {
        return new Buffer(name, bytes, null);
    }

    private static Argument buffer(String name, MemorySegment contents) {
        return buffer(name, contents.toArray(ValueLayout.JAVA_BYTE));
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    }
}
