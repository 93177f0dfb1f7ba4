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

/// CUDA Driver API 6.33, Tensor Map Object Management: what begins with sm_100 is refused for a
/// device before it, as the driver of an H100 does.
public record TensorMapFunctions(Device device) {
    private static final int ALIGNMENT = 64;
    private static final int SLICE = 16;

    private static final int BLACKWELL = 100;

    /// No interleaving, slices of 16 bytes, slices of 32.
    private static final int LAYOUTS = 3;

    /// How many `CUtensorMapSwizzle` has.
    private static final int SWIZZLES = TensorSwizzle.BYTES_128_ATOM_64.ordinal() + 1;

    /// Encodes a map, whose rank was found right.
    ///
    /// @param mode the number of a [Mode]
    public void encodeMap(
            long into,
            int type,
            int rank,
            long address,
            long shape,
            long strides,
            int[] box,
            long steps,
            int[] lower,
            int[] upper,
            int interleave,
            int swizzle,
            int fill,
            int mode) {
        encode(
                into,
                new TensorMap(
                        address,
                        element(type),
                        longs(shape, rank),
                        longs(strides, rank - 1),
                        box,
                        ints(steps, rank),
                        lower,
                        upper,
                        swizzle(swizzle),
                        interleave(interleave),
                        isNan(fill),
                        Mode.values()[mode]));
    }

    /// Puts another address into a map.
    public void cuTensorMapReplaceAddress(long map, long address) {
        refuseIf(address % 16 != 0, ErrorCode.INVALID_VALUE);
        TensorMap.set(Host.at(map, TensorMap.BYTES), 0, TensorMap.Field.GLOBAL_ADDRESS, 0, address);
    }

    /// The corner of a box of pixels.
    public static int[] corner(long at, int rank) {
        return Arrays.copyOf(ints(at, rank - 2), 3);
    }

    /// A corner that lies so far along W alone.
    public static int[] along(int pixels) {
        return new int[] {pixels, 0, 0};
    }

    /// A box of so many channels and pixels.
    public static int[] pixels(int channels, int pixels) {
        return new int[] {channels, pixels};
    }

    /// The number of a [Mode] along W.
    public static int modeAlong(int mode, int first) {
        return first + within(mode, 2);
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

    /// A rank that is no less; images have three axes at least: channels, pixels, images.
    public static int rank(int rank, int least) {
        refuseIf(rank < least || rank > 5, ErrorCode.INVALID_VALUE);
        return rank;
    }

    private static Element element(int type) {
        return Element.OF_DRIVER.get(within(type, Element.OF_DRIVER.size()));
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

    /// So many numbers.
    public static int[] ints(long at, int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = Host.getInt(at + 4L * i);
        }
        return values;
    }
}
