package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.vm.TensorMapEncoder;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.memory.TensorMap.Element;
import dev.heddle.vm.memory.TensorMap.Mode;
import dev.heddle.vm.memory.TensorSwizzle;

import java.util.Arrays;
import java.util.List;

/// CUDA Driver API 6.33, Tensor Map Object Management.
public final class TensorMapFunctions {
    private static final int ALIGNMENT = 64;
    private static final int SLICE = 16;

    /// Axes of a tensor that is copied by pixels, at least: channels, pixels, images.
    private static final int IMAGE_RANK = 3;

    private static final int BLACKWELL = 100;

    /// No interleaving, slices of 16 bytes, slices of 32.
    private static final int LAYOUTS = 3;

    /// How many `CUtensorMapSwizzle` has.
    private static final int SWIZZLES = TensorSwizzle.BYTES_128_ATOM_64.ordinal() + 1;

    /// The types of `CUtensorMapDataType`, in the order of their numbers.
    private static final List<Element> ELEMENTS =
            List.of(
                    Element.U8,
                    Element.U16,
                    Element.U32,
                    Element.S32,
                    Element.U64,
                    Element.S64,
                    Element.F16,
                    Element.F32,
                    Element.F64,
                    Element.BF16,
                    Element.F32_FTZ,
                    Element.TF32,
                    Element.TF32_FTZ,
                    Element.B4X16,
                    Element.B4X16_P64,
                    Element.B6X16);

    private final Device device;

    /// Tensor maps for a device: what begins with sm_100 is refused for one before it, as the
    /// driver of an H100 does.
    public TensorMapFunctions(Device device) {
        this.device = device;
    }

    /// Encodes the map of a tensor that is copied by boxes.
    public void cuTensorMapEncodeTiled(
            long into,
            int type,
            int rank,
            long address,
            long shape,
            long strides,
            long box,
            long steps,
            int interleave,
            int swizzle,
            int promotion,
            int fill) {
        requireRank(rank, 1);
        encode(
                into,
                new TensorMap(
                        address,
                        element(type),
                        longs(shape, rank),
                        longs(strides, rank - 1),
                        ints(box, rank),
                        ints(steps, rank),
                        new int[3],
                        new int[3],
                        swizzle(swizzle),
                        interleave(interleave),
                        isNan(fill),
                        Mode.TILE));
    }

    /// Encodes the map of a tensor that is copied by columns of an image.
    public void cuTensorMapEncodeIm2col(
            long into,
            int type,
            int rank,
            long address,
            long shape,
            long strides,
            long lower,
            long upper,
            int channels,
            int pixels,
            long steps,
            int interleave,
            int swizzle,
            int promotion,
            int fill) {
        requireRank(rank, IMAGE_RANK);
        encode(
                into,
                new TensorMap(
                        address,
                        element(type),
                        longs(shape, rank),
                        longs(strides, rank - 1),
                        new int[] {channels, pixels},
                        ints(steps, rank),
                        corner(lower, rank),
                        corner(upper, rank),
                        swizzle(swizzle),
                        interleave(interleave),
                        isNan(fill),
                        Mode.IM2COL));
    }

    /// Encodes the map of a tensor that is copied by pixels along W.
    public void cuTensorMapEncodeIm2colWide(
            long into,
            int type,
            int rank,
            long address,
            long shape,
            long strides,
            int lower,
            int upper,
            int channels,
            int pixels,
            long steps,
            int interleave,
            int mode,
            int swizzle,
            int promotion,
            int fill) {
        requireRank(rank, IMAGE_RANK);
        encode(
                into,
                new TensorMap(
                        address,
                        element(type),
                        longs(shape, rank),
                        longs(strides, rank - 1),
                        new int[] {channels, pixels},
                        ints(steps, rank),
                        new int[] {lower, 0, 0},
                        new int[] {upper, 0, 0},
                        swizzle(swizzle),
                        interleave(interleave),
                        isNan(fill),
                        within(mode, 2) == 0 ? Mode.IM2COL_W : Mode.IM2COL_W_128));
    }

    /// Puts another address into a map.
    public void cuTensorMapReplaceAddress(long map, long address) {
        refuseIf(address % 16 != 0, ErrorCode.INVALID_VALUE);
        TensorMap.set(Host.at(map, TensorMap.BYTES), 0, TensorMap.Field.GLOBAL_ADDRESS, 0, address);
    }

    private static int[] corner(long at, int rank) {
        return Arrays.copyOf(ints(at, rank - 2), 3);
    }

    private void encode(long into, TensorMap map) {
        boolean later =
                map.element().isPacked()
                        || map.swizzle().compareTo(TensorSwizzle.BYTES_128) > 0
                        || map.mode().compareTo(Mode.IM2COL) > 0;
        refuseIf(
                into == 0
                        || into % ALIGNMENT != 0
                        || later && device.capability().number() < BLACKWELL,
                ErrorCode.INVALID_VALUE);
        try {
            TensorMapEncoder.requireLegal(map);
        } catch (IllegalArgumentException e) {
            System.err.println("heddle: tensor map: " + e.getMessage());
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        map.encode(Host.at(into, TensorMap.BYTES), 0);
    }

    private static void requireRank(int rank, int least) {
        refuseIf(rank < least || rank > 5, ErrorCode.INVALID_VALUE);
    }

    private static Element element(int type) {
        return ELEMENTS.get(within(type, ELEMENTS.size()));
    }

    private static TensorSwizzle swizzle(int swizzle) {
        return TensorSwizzle.values()[within(swizzle, SWIZZLES)];
    }

    /// Bytes of a slice.
    private static int interleave(int interleave) {
        return SLICE * within(interleave, LAYOUTS);
    }

    private static boolean isNan(int fill) {
        return within(fill, 2) == 1;
    }

    private static int within(int number, int count) {
        refuseIf(number < 0 || number >= count, ErrorCode.INVALID_VALUE);
        return number;
    }

    private static long[] longs(long at, int count) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = Host.getLong(at + 8L * i);
        }
        return values;
    }

    private static int[] ints(long at, int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = Host.getInt(at + 4L * i);
        }
        return values;
    }
}
