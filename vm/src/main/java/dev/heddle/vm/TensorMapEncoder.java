package dev.heddle.vm;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.vm.Argument.TensorMap.Box;
import dev.heddle.vm.Argument.TensorMap.Columns;
import dev.heddle.vm.Argument.TensorMap.Tile;
import dev.heddle.vm.Argument.TensorMap.Wide;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.memory.TensorMap.Element;
import dev.heddle.vm.memory.TensorMap.Mode;
import dev.heddle.vm.memory.TensorSwizzle;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// What `cuTensorMapEncodeTiled`, `Im2col` and `Im2colWide` check (CUDA Driver API 6.33), and
/// the machine's own tensor map of what a launch says of a tensor.
///
/// Where the driver of an H100 departs from its description, this follows the driver: rows of a
/// box are multiples of 16 bytes also where channels are interleaved, slices of 32 bytes take any
/// swizzle, and a box is not larger than the shared memory of a CTA.
public final class TensorMapEncoder {
    private static final int MOST_AXES = 5;
    private static final int MOST_BOX = 256;
    private static final int MOST_PIXELS = 1024;
    private static final int MOST_STEP = 8;
    private static final long MOST_EXTENT = 1L << 32;
    private static final long MOST_STRIDE = 1L << 40;
    private static final int UNIT = 16;
    private static final int MOST_INNER_AXES = 3;

    /// Bytes of shared memory that a CTA can have from sm_90 on.
    private static final long MOST_SHARED = 232_448;

    /// Elements of a row of a box whose elements are padded.
    private static final int PADDED_ROW = 128;

    /// What `cuTensorMapEncodeIm2colWide` takes.
    private static final Set<TensorSwizzle> WIDE_SWIZZLES =
            EnumSet.of(
                    TensorSwizzle.BYTES_64,
                    TensorSwizzle.BYTES_128,
                    TensorSwizzle.BYTES_128_ATOM_32);

    private final TensorMap map;

    private TensorMapEncoder(TensorMap map) {
        this.map = map;
    }

    /// The map of a tensor at an address.
    ///
    /// @throws InputException where the driver would refuse it; the message says why
    public static TensorMap encode(Argument.TensorMap argument, long address) {
        Region region = Region.of(argument.box());
        TensorMap map =
                new TensorMap(
                        address,
                        element(argument),
                        argument.shape().stream().mapToLong(Long::longValue).toArray(),
                        argument.strides().stream().mapToLong(Long::longValue).toArray(),
                        region.box(),
                        ints(argument.elementStrides()),
                        corners(region.lower()),
                        corners(region.upper()),
                        swizzle(argument),
                        argument.interleave(),
                        argument.fill() == Argument.TensorMap.Fill.NAN,
                        region.mode());
        try {
            requireLegal(map);
        } catch (InputException e) {
            throw new InputException(
                    "%s: %s (cuTensorMapEncode%s)"
                            .formatted(argument, e.getMessage(), function(map.mode())),
                    e);
        }
        return map;
    }

    private static String function(Mode mode) {
        return switch (mode) {
            case TILE -> "Tiled";
            case IM2COL -> "Im2col";
            case IM2COL_W, IM2COL_W_128 -> "Im2colWide";
        };
    }

    /// What a copy takes, as a map has it.
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    private record Region(Mode mode, int[] box, List<Integer> lower, List<Integer> upper) {
        static Region of(Box box) {
            return switch (box) {
                case Tile(List<Integer> extents) ->
                        new Region(Mode.TILE, ints(extents), List.of(), List.of());
                case Columns some ->
                        new Region(
                                Mode.IM2COL,
                                new int[] {some.channels(), some.pixels()},
                                some.lower(),
                                some.upper());
                case Wide some ->
                        new Region(
                                some.pixels().isPresent() ? Mode.IM2COL_W : Mode.IM2COL_W_128,
                                new int[] {some.channels(), some.pixels().orElse(0)},
                                List.of(some.lower()),
                                List.of(some.upper()));
            };
        }
    }

    private static TensorSwizzle swizzle(Argument.TensorMap argument) {
        return switch (argument.atomicity()) {
            case BYTES_16 -> TensorSwizzle.of(argument.swizzle());
            case BYTES_32 -> TensorSwizzle.BYTES_128_ATOM_32;
            case BYTES_32_FLIP_8 -> TensorSwizzle.BYTES_128_ATOM_32_FLIP_8;
            case BYTES_64 -> TensorSwizzle.BYTES_128_ATOM_64;
        };
    }

    private static int[] ints(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int[] corners(List<Integer> numbers) {
        return Arrays.copyOf(ints(numbers), MOST_INNER_AXES);
    }

    /// Refuses what the driver refuses to encode.
    ///
    /// @throws InputException that says why
    public static void requireLegal(TensorMap map) {
        TensorMapEncoder encoder = new TensorMapEncoder(map);
        encoder.requireTensor();
        encoder.requireStrides();
        if (map.columns()) {
            encoder.requireColumns();
        } else {
            encoder.requireTiles();
        }
        encoder.requireRows();
        encoder.requireSwizzle();
    }

    /// What addresses and strides are multiples of.
    private int granule() {
        return map.interleave() == 2 * UNIT || map.element().isPadded() ? 2 * UNIT : UNIT;
    }

    private void requireTensor() {
        int least = map.columns() || map.interleave() != 0 ? 3 : 1;
        require(
                map.rank() >= least && map.rank() <= MOST_AXES,
                map.rank() + " axes: 1 to 5, in im2col mode and interleaved 3 to 5");
        require(
                map.address() % granule() == 0,
                "its address 0x%x is no multiple of %d".formatted(map.address(), granule()));
        for (int axis = 0; axis < map.rank(); axis++) {
            long extent = map.shape()[axis];
            require(
                    extent >= 1 && extent <= MOST_EXTENT,
                    "extent %d of axis %d: 1 to 2^32".formatted(extent, axis));
        }
        int multiple = map.element().isPadded() ? PADDED_ROW : map.element().isPacked() ? 2 : 1;
        require(
                map.shape()[0] % multiple == 0,
                "extent %d of axis 0: a multiple of %d".formatted(map.shape()[0], multiple));
    }

    private void requireStrides() {
        for (long stride : map.strides()) {
            require(
                    stride % granule() == 0 && stride >= 0 && stride < MOST_STRIDE,
                    "a stride of %d bytes: a multiple of %d below 2^40"
                            .formatted(stride, granule()));
        }
        for (int axis = 0; axis < map.rank(); axis++) {
            int step = map.steps()[axis];
            require(
                    step >= 1 && step <= MOST_STEP,
                    "element stride %d of axis %d: 1 to 8".formatted(step, axis));
        }
    }

    private void requireTiles() {
        for (int axis = 0; axis < map.rank(); axis++) {
            int box = map.box()[axis];
            require(
                    box >= 1 && box <= MOST_BOX,
                    "box %d of axis %d: 1 to 256 elements".formatted(box, axis));
        }
        long bytes = map.element().sharedBytes(Math.ceilDiv(map.box()[0], map.steps()[0]));
        for (int axis = 1; axis < map.rank(); axis++) {
            bytes *= Math.ceilDiv(map.box()[axis], map.steps()[axis]);
        }
        require(
                bytes <= MOST_SHARED,
                "a box of %d bytes: at most the %d of shared memory".formatted(bytes, MOST_SHARED));
    }

    private void requireColumns() {
        int channels = map.box()[0];
        int pixels = map.box()[1];
        require(
                channels >= 1 && channels <= MOST_BOX,
                "%d channels a pixel: 1 to 256".formatted(channels));
        require(
                map.mode() == Mode.IM2COL_W_128 || pixels >= 1 && pixels <= MOST_PIXELS,
                "%d pixels a column: 1 to 1024".formatted(pixels));
        int spatial = map.mode() == Mode.IM2COL ? map.rank() - 2 : 1;
        // The corners of all spatial axes share 16 bits.
        int most = (1 << (16 / spatial - 1)) - 1;
        for (int axis = 0; axis < spatial; axis++) {
            for (int corner : new int[] {map.lower()[axis], map.upper()[axis]}) {
                require(
                        corner >= -most - 1 && corner <= most,
                        "corner %d: %d to %d where a box has corners along %d axes"
                                .formatted(corner, -most - 1, most, spatial));
            }
            int of = map.firstInnerAxis() + axis;
            // The driver counts in 32 bits.
            int behind = (int) map.shape()[of] + map.upper()[axis];
            require(
                    behind > map.lower()[axis],
                    "a bounding box from %d to %d on axis %d"
                            .formatted(map.lower()[axis], behind - 1, of));
        }
    }

    private void requireRows() {
        require(
                !map.nanFill() || map.element().isReal(),
                "elements that are no floating-point numbers cannot be filled with NaN");
        if (map.element().isPadded()) {
            require(map.interleave() == 0, "padded elements are not interleaved");
            require(
                    map.box()[0] == PADDED_ROW,
                    "%d padded elements in a row of a box: 128".formatted(map.box()[0]));
        }
        int row = map.element().bytes(map.box()[0]);
        require(row % UNIT == 0, "rows of %d bytes in a box: a multiple of 16".formatted(row));
    }

    private void requireSwizzle() {
        int span = map.swizzle().span();
        int row = map.element().sharedBytes(map.box()[0]);
        require(
                span == 0 || map.interleave() != 0 || row <= span,
                "rows of %d bytes in a box: at most the %d of the swizzle".formatted(row, span));
        boolean takes =
                switch (map.element()) {
                    case B6X16 ->
                            map.swizzle() != TensorSwizzle.BYTES_32
                                    && map.swizzle() != TensorSwizzle.BYTES_64
                                    && map.swizzle() != TensorSwizzle.BYTES_128_ATOM_32_FLIP_8;
                    case B4X16_P64 ->
                            map.swizzle() == TensorSwizzle.NONE
                                    || map.swizzle() == TensorSwizzle.BYTES_128
                                    || map.swizzle() == TensorSwizzle.BYTES_128_ATOM_32;
                    default -> true;
                };
        require(takes, "padded elements: without swizzle or with one of 128 bytes");
        boolean wide = map.mode() == Mode.IM2COL_W || map.mode() == Mode.IM2COL_W_128;
        require(
                !wide || WIDE_SWIZZLES.contains(map.swizzle()),
                "pixels along W: with a swizzle of 64 bytes, or of 128 that keeps 16 or 32"
                        + " together");
        require(
                map.swizzle() != TensorSwizzle.BYTES_96,
                "a swizzle of 96 bytes: only tensormap.replace gives it");
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new InputException(what);
        }
    }

    private static Element element(Argument.TensorMap map) {
        Format format = map.format();
        if (format instanceof FloatFormat real) {
            return switch (real) {
                case F64 -> Element.F64;
                case F32 -> Element.F32;
                case TF32 -> Element.TF32;
                case BF16 -> Element.BF16;
                case F16 -> Element.F16;
                case E5M2, E4M3, E3M2, E2M3, E2M1, UE8M0, UE4M3 -> bits(map);
            };
        }
        if (format == IntegerFormat.S32) {
            return Element.S32;
        }
        return format == IntegerFormat.S64 ? Element.S64 : bits(map);
    }

    private static Element bits(Argument.TensorMap map) {
        return switch (map.format().bits()) {
            case 4 -> map.padded() ? Element.B4X16_P64 : Element.B4X16;
            case 6 -> Element.B6X16;
            case 8 -> Element.U8;
            case 16 -> Element.U16;
            case 32 -> Element.U32;
            case 64 -> Element.U64;
            default ->
                    throw new InputException(
                            "%s: elements of %d bits".formatted(map, map.format().bits()));
        };
    }
}
