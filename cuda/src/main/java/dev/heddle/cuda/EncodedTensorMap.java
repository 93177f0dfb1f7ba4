package dev.heddle.cuda;

import dev.heddle.formats.InputException;
import dev.heddle.vm.memory.TensorMap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A tensor in global memory as `cp.async.bulk.tensor` wants it described: 128 opaque bytes that
/// the driver encodes and a kernel takes as a parameter.
///
/// PTX ISA 5.5.8, "Tensors: tensor-map".
public final class EncodedTensorMap {
    private static final int ALIGNMENT = 64;
    private static final int SLICE = 16;

    private final MemorySegment bytes;

    private EncodedTensorMap(MemorySegment bytes) {
        this.bytes = bytes;
    }

    /// How much the L2 cache fetches, in the order of `CUtensorMapL2promotion`.
    public enum L2Promotion {
        NONE,
        BYTES_64,
        BYTES_128,
        BYTES_256
    }

    /// Encodes a map of boxes or of an image's pixels.
    ///
    /// @throws DriverException `CUDA_ERROR_INVALID_VALUE` where sizes, strides, boxes and swizzle
    ///     do not fit together
    /// @throws InputException where pixels follow each other along W alone
    public static EncodedTensorMap encode(Context context, TensorMap map, L2Promotion promotion) {
        Arena arena = Arena.ofAuto();
        MemorySegment bytes = arena.allocate(TensorMap.BYTES, ALIGNMENT);
        int rank = map.shape().length;
        List<Object> arguments = new ArrayList<>();
        arguments.addAll(List.of(bytes, map.element().driverNumber(), rank, map.address()));
        arguments.addAll(List.of(longs(arena, map.shape()), longs(arena, map.strides())));
        String function =
                switch (map.mode()) {
                    case TILE -> {
                        arguments.add(ints(arena, map.box(), rank));
                        yield "cuTensorMapEncodeTiled";
                    }
                    case IM2COL -> {
                        arguments.add(ints(arena, map.lower(), rank - 2));
                        arguments.add(ints(arena, map.upper(), rank - 2));
                        arguments.addAll(List.of(map.box()[0], map.box()[1]));
                        yield "cuTensorMapEncodeIm2col";
                    }
                    case IM2COL_W, IM2COL_W_128 ->
                            throw new InputException(
                                    "a tensor map of pixels along W is not encoded for a GPU");
                };
        arguments.add(ints(arena, map.steps(), rank));
        arguments.addAll(List.of(map.interleave() / SLICE, map.swizzle().ordinal()));
        arguments.addAll(List.of(promotion.ordinal(), map.nanFill() ? 1 : 0));
        context.call(function, arguments.toArray());
        return new EncodedTensorMap(bytes.asReadOnly());
    }

    private static MemorySegment longs(Arena arena, long[] values) {
        return arena.allocateFrom(ValueLayout.JAVA_LONG, values);
    }

    private static MemorySegment ints(Arena arena, int[] values, int count) {
        return arena.allocateFrom(ValueLayout.JAVA_INT, Arrays.copyOf(values, count));
    }

    /// The encoded map, 128 bytes, read-only.
    public MemorySegment bytes() {
        return bytes;
    }
}
