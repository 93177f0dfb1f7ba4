package dev.heddle.vm.memory;

import dev.heddle.formats.InputException;
import dev.heddle.ptx.ScalarType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Locale;

/// A tensor map in the 128 bytes that a kernel sees (PTX ISA 5.5.8), as this machine encodes it:
/// the manual calls them opaque, and a driver's are others.
///
/// Axes go from the innermost, whose elements are adjacent, outwards.
///
/// @param address of the first element
/// @param element its type
/// @param shape elements along each axis; one value an axis of the tensor
/// @param strides bytes from one element to the next along each axis but the first
/// @param box elements of one copy along each axis; of im2col mode channels and pixels
/// @param steps along each axis: every n-th element is copied
/// @param lower corner of the bounding box in im2col modes, along W, H, D
/// @param upper corner, counted from the far end of the tensor
/// @param swizzle of the box in shared memory
/// @param interleave bytes of a slice of channels, 16 or 32 (PTX ISA 5.5.6); 0 where all channels
///     of a pixel are adjacent
/// @param nanFill whether elements outside the tensor are NaN, else zero
/// @param mode how a copy takes it
@SuppressWarnings("ArrayRecordComponent") // read once for each copy, never compared
public record TensorMap(
        long address,
        Element element,
        long[] shape,
        long[] strides,
        int[] box,
        int[] steps,
        int[] lower,
        int[] upper,
        TensorSwizzle swizzle,
        int interleave,
        boolean nanFill,
        Mode mode) {
    /// Bytes of a tensor map.
    public static final int BYTES = 128;

    private static final int MOST_AXES = 5;

    private static final int SLICE = 16;
    private static final long MARK = 0x4845_4444_4c45_544dL;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    // Where the fields are.
    private static final int ADDRESS = 0;
    private static final int SHAPE = 8;
    private static final int STRIDES = 28;
    private static final int BOX = 60;
    private static final int STEPS = 80;
    private static final int CORNERS = 85;
    private static final int RANK = 97;
    private static final int ELEMENT = 98;
    private static final int SWIZZLE = 99;
    private static final int FILL = 100;
    private static final int MODE = 101;
    private static final int INTERLEAVE = 102;
    private static final int ATOMICITY = 103;
    private static final int MARKED = 120;

    /// How a copy takes a tensor (PTX ISA 5.5.2).
    public enum Mode {
        TILE,
        IM2COL,
        /// Pixels along W alone.
        IM2COL_W,
        /// 128 of them.
        IM2COL_W_128
    }

    /// The types of an element, in the order of table 33 of PTX ISA 9.7.9.28.
    public enum Element {
        U8(ScalarType.U8),
        U16(ScalarType.U16),
        U32(ScalarType.U32),
        S32(ScalarType.S32),
        U64(ScalarType.U64),
        S64(ScalarType.S64),
        F16(ScalarType.F16),
        F32(ScalarType.F32),
        F32_FTZ(ScalarType.F32),
        F64(ScalarType.F64),
        BF16(ScalarType.BF16),
        TF32(ScalarType.F32),
        TF32_FTZ(ScalarType.F32),
        /// `.b4x16`: two in a byte, in shared memory, too.
        B4X16(4, 8),
        /// `.b4x16_p64`: sixteen take 16 bytes in shared memory, the first eight bytes of them.
        B4X16_P64(4, 16),
        /// `.b6x16_p32` of loads: sixteen take the first twelve of 16 bytes in shared memory.
        /// `.b6p2x16` of stores: each takes the lower six bits of a byte there.
        B6X16(6, 16);

        /// Elements of the packed types that are together.
        public static final int PACKED = 16;

        private final ScalarType type;
        private final int bits;
        private final int sharedBytes;

        Element(ScalarType type) {
            this.type = type;
            bits = type.bits();
            sharedBytes = PACKED * bits / Byte.SIZE;
        }

        Element(int bits, int sharedBytes) {
            type = ScalarType.B8;
            this.bits = bits;
            this.sharedBytes = sharedBytes;
        }

        /// The types in the order of `CUtensorMapDataType`.
        public static final List<Element> OF_DRIVER =
                List.of(
                        U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16, F32_FTZ, TF32, TF32_FTZ,
                        B4X16, B4X16_P64, B6X16);

        /// Its `CUtensorMapDataType`.
        public int driverNumber() {
            return OF_DRIVER.indexOf(this);
        }

        /// The type in which reductions work.
        public ScalarType type() {
            return type;
        }

        /// Whether elements are floating-point numbers.
        public boolean isReal() {
            return !isPacked() && !type.isInteger();
        }

        /// Whether an element has fewer bits than a byte (PTX ISA 5.5.1.1).
        public boolean isPacked() {
            return bits < Byte.SIZE;
        }

        /// Whether elements take more room in shared memory than in the tensor.
        public boolean isPadded() {
            return sharedBytes > bytes(PACKED);
        }

        /// Bytes of so many elements of a tensor.
        public int bytes(int elements) {
            return (int) bytes((long) elements);
        }

        /// Bytes of so many elements of a tensor.
        public long bytes(long elements) {
            return elements * bits / Byte.SIZE;
        }

        /// Bytes of so many elements in shared memory.
        public int sharedBytes(int elements) {
            return elements * sharedBytes / PACKED;
        }
    }

    /// A field that `tensormap.replace` can name.
    public enum Field {
        GLOBAL_ADDRESS,
        RANK,
        BOX_DIM,
        GLOBAL_DIM,
        GLOBAL_STRIDE,
        ELEMENT_STRIDE,
        ELEMTYPE,
        INTERLEAVE_LAYOUT,
        SWIZZLE_MODE,
        SWIZZLE_ATOMICITY,
        FILL_MODE;

        /// As PTX writes it.
        public String qualifier() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Whether it is of one of the im2col modes.
    public boolean columns() {
        return mode != Mode.TILE;
    }

    /// How many axes it has.
    public int rank() {
        return shape.length;
    }

    /// The axis of channels: the innermost, or where they are interleaved the last but one. A slice
    /// of channels is what is together then, and the innermost axis is W; so an H100 reads
    /// them.
    public int channelAxis() {
        return interleave == 0 ? 0 : rank() - 2;
    }

    /// The first of the axes W, H, D.
    public int firstInnerAxis() {
        return interleave == 0 ? 1 : 0;
    }

    /// Bytes of a row of the box in the tensor: of its elements along the innermost axis, or of a
    /// slice of channels.
    public int rowBytes() {
        return interleave == 0 ? element.bytes(box[0]) : interleave;
    }

    /// Bytes from one row of the box to the next in shared memory: with a swizzle a row takes the
    /// whole of its span, a slice does not, as measured on an H100.
    public int pitch() {
        if (interleave != 0) {
            return interleave;
        }
        return swizzle == TensorSwizzle.NONE ? element.sharedBytes(box[0]) : swizzle.span();
    }

    /// Writes it.
    public void encode(MemorySegment target, long offset) {
        target.asSlice(offset, BYTES).fill((byte) 0);
        target.set(LONG, offset + MARKED, MARK);
        set(target, offset, Field.GLOBAL_ADDRESS, 0, address);
        set(target, offset, Field.RANK, 0, rank() - 1L);
        for (int axis = 0; axis < rank(); axis++) {
            set(target, offset, Field.GLOBAL_DIM, axis, shape[axis]);
            set(target, offset, Field.ELEMENT_STRIDE, axis, steps[axis]);
            if (axis > 0) {
                set(target, offset, Field.GLOBAL_STRIDE, axis - 1, strides[axis - 1]);
            }
        }
        for (int i = 0; i < box.length; i++) {
            set(target, offset, Field.BOX_DIM, i, box[i]);
        }
        for (int i = 0; i < lower.length; i++) {
            target.set(
                    ValueLayout.JAVA_SHORT_UNALIGNED, offset + CORNERS + 2L * i, (short) lower[i]);
            target.set(
                    ValueLayout.JAVA_SHORT_UNALIGNED,
                    offset + CORNERS + 6 + 2L * i,
                    (short) upper[i]);
        }
        set(target, offset, Field.ELEMTYPE, 0, element.ordinal());
        set(target, offset, Field.SWIZZLE_MODE, 0, swizzle.mode());
        set(target, offset, Field.SWIZZLE_ATOMICITY, 0, swizzle.atomicity());
        set(target, offset, Field.INTERLEAVE_LAYOUT, 0, interleave / SLICE);
        set(target, offset, Field.FILL_MODE, 0, nanFill ? 1 : 0);
        target.set(BYTE, offset + MODE, (byte) mode.ordinal());
    }

    /// Replaces one field of an encoded map, or of zeros, which become one: Triton's kernels make
    /// their maps so.
    public static void set(MemorySegment map, long offset, Field field, int ordinal, long value) {
        if (map.get(LONG, offset + MARKED) == 0) {
            map.set(LONG, offset + MARKED, MARK);
        }
        switch (field) {
            case GLOBAL_ADDRESS -> map.set(LONG, offset + ADDRESS, value);
            // An extent of 2^32 is written as 0.
            case GLOBAL_DIM -> map.set(INT, offset + SHAPE + 4L * ordinal, (int) value);
            case GLOBAL_STRIDE -> map.set(LONG, offset + STRIDES + 8L * ordinal, value);
            case BOX_DIM -> map.set(INT, offset + BOX + 4L * ordinal, (int) value);
            case ELEMENT_STRIDE -> map.set(BYTE, offset + STEPS + ordinal, (byte) value);
            case RANK -> map.set(BYTE, offset + RANK, (byte) value);
            case ELEMTYPE -> map.set(BYTE, offset + ELEMENT, (byte) value);
            case INTERLEAVE_LAYOUT -> map.set(BYTE, offset + INTERLEAVE, (byte) value);
            case SWIZZLE_MODE -> map.set(BYTE, offset + SWIZZLE, (byte) value);
            case SWIZZLE_ATOMICITY -> map.set(BYTE, offset + ATOMICITY, (byte) value);
            case FILL_MODE -> map.set(BYTE, offset + FILL, (byte) value);
        }
    }

    /// Reads one.
    ///
    /// @throws InputException where there is none, with what is there instead
    public static TensorMap decode(MemorySegment map, long offset) {
        if (map.get(LONG, offset + MARKED) != MARK) {
            throw new InputException("the 128 bytes there are no tensor map");
        }
        int rank = map.get(BYTE, offset + RANK) + 1;
        if (rank < 1 || rank > MOST_AXES) {
            throw new InputException("the tensor map there has " + rank + " axes");
        }
        int element = number(map, offset + ELEMENT, Element.values().length, "elements of type");
        int interleave = number(map, offset + INTERLEAVE, 3, "interleave layout");
        int mode = number(map, offset + MODE, Mode.values().length, "mode");
        long[] shape = new long[rank];
        long[] strides = new long[rank - 1];
        int[] steps = new int[rank];
        int[] box = new int[mode == 0 ? rank : 2];
        for (int i = 0; i < box.length; i++) {
            box[i] = map.get(INT, offset + BOX + 4L * i);
        }
        for (int axis = 0; axis < rank; axis++) {
            shape[axis] = map.get(INT, offset + SHAPE + 4L * axis) & 0xffff_ffffL;
            shape[axis] = shape[axis] == 0 ? 1L << 32 : shape[axis];
            steps[axis] = map.get(BYTE, offset + STEPS + axis);
            if (axis > 0) {
                strides[axis - 1] = map.get(LONG, offset + STRIDES + 8L * (axis - 1));
            }
        }
        return new TensorMap(
                map.get(LONG, offset + ADDRESS),
                Element.values()[element],
                shape,
                strides,
                box,
                steps,
                corner(map, offset + CORNERS),
                corner(map, offset + CORNERS + 6),
                TensorSwizzle.of(
                        map.get(BYTE, offset + SWIZZLE), map.get(BYTE, offset + ATOMICITY)),
                SLICE * interleave,
                map.get(BYTE, offset + FILL) != 0,
                Mode.values()[mode]);
    }

    private static int number(MemorySegment map, long at, int count, String what) {
        int number = map.get(BYTE, at);
        if (number < 0 || number >= count) {
            throw new InputException("the tensor map there has %s %d".formatted(what, number));
        }
        return number;
    }

    private static int[] corner(MemorySegment map, long at) {
        int[] corner = new int[3];
        for (int i = 0; i < corner.length; i++) {
            corner[i] = map.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + 2L * i);
        }
        return corner;
    }
}
