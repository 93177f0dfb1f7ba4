package dev.heddle.vm;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.memory.TensorMap.Element;

/// What `cuTensorMapEncodeTiled` and `cuTensorMapEncodeIm2col` check (CUDA Driver API 6.33), and
/// the machine's own tensor map of what a launch says of a tensor.
public final class TensorMapEncoder {
    private static final int MOST_AXES = 5;
    private static final int MOST_BOX = 256;
    private static final int MOST_PIXELS = 1024;
    private static final int MOST_STEP = 8;
    private static final long MOST_EXTENT = 1L << 32;
    private static final long MOST_STRIDE = 1L << 40;
    private static final int UNIT = 16;

    private final TensorMap map;

    private TensorMapEncoder(TensorMap map) {
        this.map = map;
    }

    /// The map of a tensor at an address.
    ///
    /// @throws IllegalArgumentException where the driver would refuse it; the message says why
    /// @throws UnsupportedOperationException for what the driver takes and this machine does not
    static TensorMap encode(Argument.TensorMap argument, long address) {
        if (argument.interleave() != 0) {
            throw new UnsupportedOperationException("interleaved tensors");
        }
        TensorMap map =
                new TensorMap(
                        address,
                        element(argument.format()),
                        argument.shape().stream().mapToLong(Long::longValue).toArray(),
                        argument.strides().stream().mapToLong(Long::longValue).toArray(),
                        argument.box().stream().mapToInt(Integer::intValue).toArray(),
                        argument.elementStrides().stream().mapToInt(Integer::intValue).toArray(),
                        new int[3],
                        new int[3],
                        argument.swizzle(),
                        argument.fill() == Argument.TensorMap.Fill.NAN,
                        false);
        try {
            requireLegal(map);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    argument + ": " + e.getMessage() + " (cuTensorMapEncodeTiled)", e);
        }
        return map;
    }

    /// Refuses what the driver refuses to encode.
    ///
    /// @throws IllegalArgumentException that says why
    public static void requireLegal(TensorMap map) {
        TensorMapEncoder encoder = new TensorMapEncoder(map);
        encoder.requireTensor();
        if (map.columns()) {
            encoder.requireColumns();
        } else {
            encoder.requireTiles();
        }
        encoder.requireRows();
    }

    private void requireTensor() {
        require(
                map.rank() >= (map.columns() ? 3 : 1) && map.rank() <= MOST_AXES,
                map.rank() + " axes: 1 to 5, in im2col mode 3 to 5");
        require(
                map.address() % UNIT == 0,
                "its address 0x%x is no multiple of 16".formatted(map.address()));
        for (int axis = 0; axis < map.rank(); axis++) {
            long extent = map.shape()[axis];
            int step = map.steps()[axis];
            require(
                    extent >= 1 && extent <= MOST_EXTENT,
                    "extent %d of axis %d: 1 to 2^32".formatted(extent, axis));
            require(
                    step >= 1 && step <= MOST_STEP,
                    "element stride %d of axis %d: 1 to 8".formatted(step, axis));
        }
        for (long stride : map.strides()) {
            require(
                    stride % UNIT == 0 && stride >= 0 && stride < MOST_STRIDE,
                    "a stride of %d bytes: a multiple of 16 below 2^40".formatted(stride));
        }
    }

    private void requireTiles() {
        for (int axis = 0; axis < map.rank(); axis++) {
            int box = map.box()[axis];
            require(
                    box >= 1 && box <= MOST_BOX,
                    "box %d of axis %d: 1 to 256 elements".formatted(box, axis));
        }
    }

    private void requireColumns() {
        int channels = map.box()[0];
        int pixels = map.box()[1];
        require(
                channels >= 1 && channels <= MOST_BOX,
                "%d channels a pixel: 1 to 256".formatted(channels));
        require(
                pixels >= 1 && pixels <= MOST_PIXELS,
                "%d pixels a column: 1 to 1024".formatted(pixels));
        int spatial = map.rank() - 2;
        // The corners of all spatial axes share 16 bits.
        int most = (1 << (16 / spatial - 1)) - 1;
        for (int axis = 0; axis < spatial; axis++) {
            for (int corner : new int[] {map.lower()[axis], map.upper()[axis]}) {
                require(
                        corner >= -most - 1 && corner <= most,
                        "corner %d: %d to %d where there are %d axes"
                                .formatted(corner, -most - 1, most, map.rank()));
            }
        }
    }

    private void requireRows() {
        int row = map.box()[0] * map.element().bytes();
        require(row % UNIT == 0, "rows of %d bytes in a box: a multiple of 16".formatted(row));
        require(
                map.swizzle() == 0 || row <= map.swizzle(),
                "rows of %d bytes in a box: at most the %d of the swizzle"
                        .formatted(row, map.swizzle()));
        require(
                !map.nanFill() || map.element().isReal(),
                "elements that are no floating-point numbers cannot be filled with NaN");
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException(what);
        }
    }

    private static Element element(Format format) {
        if (format instanceof FloatFormat real) {
            return switch (real) {
                case F64 -> Element.F64;
                case F32 -> Element.F32;
                case TF32 -> Element.TF32;
                case BF16 -> Element.BF16;
                case F16 -> Element.F16;
                case E5M2, E4M3, E3M2, E2M3, E2M1, UE8M0, UE4M3 -> bits(format);
            };
        }
        return format == IntegerFormat.S32 ? Element.S32 : bits(format);
    }

    private static Element bits(Format format) {
        return switch (format.bits()) {
            case 8 -> Element.U8;
            case 16 -> Element.U16;
            case 32 -> Element.U32;
            default -> throw new UnsupportedOperationException("tensors of " + format);
        };
    }
}
