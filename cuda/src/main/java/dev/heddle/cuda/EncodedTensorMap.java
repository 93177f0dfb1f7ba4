package dev.heddle.cuda;

import dev.heddle.formats.InputException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// A tiled tensor in global memory as `cp.async.bulk.tensor` wants it described: 128 opaque bytes
/// that the driver encodes and a kernel takes as a parameter.
///
/// PTX ISA 5.5.8, "Tensors: tensor-map".
public final class EncodedTensorMap {
    /// Size of an encoded tensor map.
    public static final int BYTES = 128;

    private static final int ALIGNMENT = 64;
    private static final int MAX_RANK = 5;

    private final MemorySegment bytes;

    private EncodedTensorMap(MemorySegment bytes) {
        this.bytes = bytes;
    }

    /// Element types, in the order of `CUtensorMapDataType`.
    public enum DataType {
        U8,
        U16,
        U32,
        S32,
        U64,
        S64,
        F16,
        F32,
        F64,
        BF16,
        F32_FTZ,
        TF32,
        TF32_FTZ,
        U4_X16_ALIGN8,
        U4_X16_ALIGN16,
        U6_X16_ALIGN16
    }

    /// Interleaved layouts, in the order of `CUtensorMapInterleave`.
    public enum Interleave {
        NONE,
        BYTES_16,
        BYTES_32
    }

    /// How rows are swizzled in shared memory, in the order of `CUtensorMapSwizzle`.
    public enum Swizzle {
        NONE,
        BYTES_32,
        BYTES_64,
        BYTES_128,
        BYTES_128_ATOM_32,
        BYTES_128_ATOM_32_FLIP_8,
        BYTES_128_ATOM_64
    }

    /// How much the L2 cache fetches, in the order of `CUtensorMapL2promotion`.
    public enum L2Promotion {
        NONE,
        BYTES_64,
        BYTES_128,
        BYTES_256
    }

    /// What elements outside the tensor read as, in the order of `CUtensorMapFloatOOBfill`.
    public enum OutOfBounds {
        ZERO,
        NAN
    }

    /// One axis of the tensor.
    ///
    /// @param size elements of the tensor along it
    /// @param strideBytes bytes from one element to the next; ignored on the first axis, whose
    ///     elements are adjacent
    /// @param box elements that one copy takes, 1 to 256
    /// @param elementStride take every n-th element, 1 to 8
    public record Axis(long size, long strideBytes, int box, int elementStride) {}

    /// How a tensor is laid out and copied.
    public record Tiling(
            DataType type,
            Interleave interleave,
            Swizzle swizzle,
            L2Promotion promotion,
            OutOfBounds outOfBounds) {
        /// Plain rows of `type`, swizzled.
        public static Tiling of(DataType type, Swizzle swizzle) {
            return new Tiling(type, Interleave.NONE, swizzle, L2Promotion.NONE, OutOfBounds.ZERO);
        }
    }

    /// Boxes of an image's pixels (im2col mode, PTX ISA 5.5.4). The first axis are channels, the
    /// last are images.
    ///
    /// @param lower corner of the bounding box along the axes between, the inner first
    /// @param upper corner, counted from the far end
    /// @param channels of a pixel
    /// @param pixels of one copy
    public record Columns(List<Integer> lower, List<Integer> upper, int channels, int pixels) {}

    /// The axes as the driver wants them.
    private record Axes(
            int rank,
            MemorySegment sizes,
            MemorySegment strides,
            MemorySegment boxes,
            MemorySegment elementStrides) {
        static Axes of(Arena arena, List<Axis> axes) {
            int rank = axes.size();
            MemorySegment sizes = arena.allocate(ValueLayout.JAVA_LONG, rank);
            MemorySegment strides = arena.allocate(ValueLayout.JAVA_LONG, rank);
            for (int i = 0; i < rank; i++) {
                sizes.setAtIndex(ValueLayout.JAVA_LONG, i, axes.get(i).size());
                if (i > 0) {
                    strides.setAtIndex(ValueLayout.JAVA_LONG, i - 1, axes.get(i).strideBytes());
                }
            }
            return new Axes(
                    rank,
                    sizes,
                    strides,
                    ints(arena, axes.stream().map(Axis::box).toList()),
                    ints(arena, axes.stream().map(Axis::elementStride).toList()));
        }
    }

    private static MemorySegment ints(Arena arena, List<Integer> values) {
        return arena.allocateFrom(
                ValueLayout.JAVA_INT, values.stream().mapToInt(Integer::intValue).toArray());
    }

    /// Encodes the map of a tensor at `address`.
    ///
    /// @param axes 1 to 5, the one with adjacent elements first
    /// @throws CudaException `CUDA_ERROR_INVALID_VALUE` where sizes, strides, boxes and swizzle
    ///     do not fit together
    public static EncodedTensorMap encodeTiled(
            Context context, long address, List<Axis> axes, Tiling tiling) {
        requireAxes(axes, 1);
        Axes all = Axes.of(Arena.ofAuto(), axes);
        return encode(context, "cuTensorMapEncodeTiled", address, all, tiling, all.boxes());
    }

    /// Encodes the map of an image at `address`; the boxes of the axes are not looked at.
    ///
    /// @param axes 3 to 5, the one with adjacent elements first
    /// @throws CudaException as [#encodeTiled] does
    /// @throws InputException where the corners have not two axes less
    public static EncodedTensorMap encodeColumns(
            Context context, long address, List<Axis> axes, Tiling tiling, Columns columns) {
        requireAxes(axes, 3);
        int between = axes.size() - 2;
        if (columns.lower().size() != between || columns.upper().size() != between) {
            throw new InputException(
                    "corners of %d and %d axes: an image of %d axes has %d between its channels and images"
                            .formatted(
                                    columns.lower().size(),
                                    columns.upper().size(),
                                    axes.size(),
                                    between));
        }
        Arena arena = Arena.ofAuto();
        return encode(
                context,
                "cuTensorMapEncodeIm2col",
                address,
                Axes.of(arena, axes),
                tiling,
                ints(arena, columns.lower()),
                ints(arena, columns.upper()),
                columns.channels(),
                columns.pixels());
    }

    /// @param boxes what the function takes between the strides of the tensor and of the elements
    private static EncodedTensorMap encode(
            Context context,
            String function,
            long address,
            Axes axes,
            Tiling tiling,
            Object... boxes) {
        MemorySegment map = Arena.ofAuto().allocate(BYTES, ALIGNMENT);
        List<Object> arguments = new ArrayList<>();
        arguments.addAll(List.of(map, tiling.type().ordinal(), axes.rank(), address));
        arguments.addAll(List.of(axes.sizes(), axes.strides()));
        arguments.addAll(List.of(boxes));
        arguments.addAll(List.of(axes.elementStrides(), tiling.interleave().ordinal()));
        arguments.addAll(List.of(tiling.swizzle().ordinal(), tiling.promotion().ordinal()));
        arguments.add(tiling.outOfBounds().ordinal());
        context.call(function, arguments.toArray());
        return new EncodedTensorMap(map.asReadOnly());
    }

    private static void requireAxes(List<Axis> axes, int least) {
        if (axes.size() < least || axes.size() > MAX_RANK) {
            throw new InputException(
                    "a tensor map of %d axes: %d to 5 are possible".formatted(axes.size(), least));
        }
    }

    /// The encoded map, 128 bytes, read-only.
    public MemorySegment bytes() {
        return bytes;
    }
}
