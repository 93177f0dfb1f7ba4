package dev.heddle.vm;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.memory.TensorMap.Element;

/// What `cuTensorMapEncodeTiled` does: checks what a launch says of a tensor, as the driver checks
/// it, and makes the machine's own tensor map of it.
final class TensorMapEncoder {
    private static final int MOST_BOX = 256;
    private static final int MOST_STEP = 8;
    private static final long MOST_EXTENT = 1L << 32;
    private static final long MOST_STRIDE = 1L << 40;
    private static final int UNIT = 16;

    private final Argument.TensorMap map;

    private TensorMapEncoder(Argument.TensorMap map) {
        this.map = map;
    }

    /// The map of a tensor at an address.
    ///
    /// @throws IllegalArgumentException where the driver would refuse it; the message says why
    /// @throws UnsupportedOperationException for what the driver takes and this machine does not
    static TensorMap encode(Argument.TensorMap map, long address) {
        return new TensorMapEncoder(map).encode(address);
    }

    private TensorMap encode(long address) {
        if (map.interleave() != 0) {
            throw new UnsupportedOperationException("interleaved tensors");
        }
        Element element = element(map.format());
        int rank = map.shape().size();
        require(address % UNIT == 0, "its address 0x%x is no multiple of 16".formatted(address));
        for (int axis = 0; axis < rank; axis++) {
            long extent = map.shape().get(axis);
            int box = map.box().get(axis);
            int step = map.elementStrides().get(axis);
            require(
                    extent >= 1 && extent <= MOST_EXTENT,
                    "extent %d of axis %d: 1 to 2^32".formatted(extent, axis));
            require(
                    box >= 1 && box <= MOST_BOX,
                    "box %d of axis %d: 1 to 256 elements".formatted(box, axis));
            require(
                    step >= 1 && step <= MOST_STEP,
                    "element stride %d of axis %d: 1 to 8".formatted(step, axis));
        }
        for (long stride : map.strides()) {
            require(
                    stride % UNIT == 0 && stride >= 0 && stride < MOST_STRIDE,
                    "a stride of %d bytes: a multiple of 16 below 2^40".formatted(stride));
        }
        int row = map.box().getFirst() * element.bytes();
        require(row % UNIT == 0, "rows of %d bytes in a box: a multiple of 16".formatted(row));
        require(
                map.swizzle() == 0 || row <= map.swizzle(),
                "rows of %d bytes in a box: at most the %d of the swizzle"
                        .formatted(row, map.swizzle()));
        boolean nan = map.fill() == Argument.TensorMap.Fill.NAN;
        require(
                !nan || map.format() instanceof FloatFormat,
                "elements that are no floating-point numbers cannot be filled with NaN");
        return new TensorMap(
                address,
                element,
                map.shape().stream().mapToLong(Long::longValue).toArray(),
                map.strides().stream().mapToLong(Long::longValue).toArray(),
                map.box().stream().mapToInt(Integer::intValue).toArray(),
                map.elementStrides().stream().mapToInt(Integer::intValue).toArray(),
                new int[3],
                new int[3],
                map.swizzle(),
                nan,
                false);
    }

    private void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException(map + ": " + what + " (cuTensorMapEncodeTiled)");
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
