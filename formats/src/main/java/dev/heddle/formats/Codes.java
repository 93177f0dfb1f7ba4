package dev.heddle.formats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// An array of element codes of one format, packed as they lie in memory: little-endian, sub-byte
/// codes from the low bits up ([Packing#dense]), six-bit codes a byte each.
///
/// Its length is fixed, its elements can be set. Unused bits of the last byte are zero.
public final class Codes {
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Format format;
    private final long length;
    private final int width;
    private final long mask;
    private final byte[] bytes;

    private Codes(Format format, long length, byte[] bytes) {
        this.format = format;
        this.length = length;
        this.width = Packing.dense(format).containerBits();
        this.mask = format.mask();
        this.bytes = bytes;
    }

    /// Codes that are all zero.
    ///
    /// @throws IllegalArgumentException if the length is negative or takes more bytes than an array
    ///     holds
    public static Codes zeros(Format format, long length) {
        return new Codes(format, length, new byte[byteSize(format, length)]);
    }

    /// The codes in an array, which is not copied.
    ///
    /// @throws IllegalArgumentException if the array is not [#byteSize] long
    public static Codes wrap(Format format, long length, byte[] bytes) {
        int size = byteSize(format, length);
        if (bytes.length != size) {
            throw new IllegalArgumentException(
                    "%d bytes for %d elements of %s: expected %d"
                            .formatted(bytes.length, length, format, size));
        }
        return new Codes(format, length, bytes);
    }

    /// Bytes that so many codes take.
    ///
    /// @throws IllegalArgumentException if the length is negative or takes more bytes than an array
    ///     holds
    public static int byteSize(Format format, long length) {
        int width = Packing.dense(format).containerBits();
        if (length < 0 || length > (Integer.MAX_VALUE - 8L) * Byte.SIZE / width) {
            throw new InputException(
                    "%d elements of %s: expected at least 0 and at most 2 GiB"
                            .formatted(length, format));
        }
        return (int) ((length * width + Byte.SIZE - 1) / Byte.SIZE);
    }

    public Format format() {
        return format;
    }

    /// The number of elements.
    public long length() {
        return length;
    }

    /// The packed codes themselves: a change shows in both.
    public byte[] bytes() {
        return bytes;
    }

    /// The code of an element.
    ///
    /// @throws IndexOutOfBoundsException if there is no such element
    public long bits(long index) {
        check(index);
        return switch (width) {
            case 8 -> bytes[(int) index] & mask;
            case 16 -> (short) SHORTS.get(bytes, (int) index * 2) & mask;
            case 32 -> (int) INTS.get(bytes, (int) index * 4) & mask;
            case 64 -> (long) LONGS.get(bytes, (int) index * 8);
            default -> (bytes[byteOf(index)] >>> shiftOf(index)) & mask;
        };
    }

    /// Sets the code of an element; bits above the format's width are dropped.
    ///
    /// @throws IndexOutOfBoundsException if there is no such element
    public void set(long index, long code) {
        check(index);
        switch (width) {
            case 8 -> bytes[(int) index] = (byte) (code & mask);
            case 16 -> SHORTS.set(bytes, (int) index * 2, (short) code);
            case 32 -> INTS.set(bytes, (int) index * 4, (int) code);
            case 64 -> LONGS.set(bytes, (int) index * 8, code);
            default -> {
                int cleared = bytes[byteOf(index)] & ~((int) mask << shiftOf(index));
                bytes[byteOf(index)] = (byte) (cleared | ((int) (code & mask) << shiftOf(index)));
            }
        }
    }

    /// The exact value of an element.
    public Value value(long index) {
        return format.value(bits(index));
    }

    /// The value of an element as a `double`: see [Format#toDouble].
    public double toDouble(long index) {
        return format.toDouble(bits(index));
    }

    /// The same values in another format.
    public Codes convert(Format to, Rounding rounding, Overflow overflow) {
        Conversion conversion = new Conversion(format, to, rounding, overflow);
        Codes converted = zeros(to, length);
        for (long i = 0; i < length; i++) {
            converted.set(i, conversion.apply(bits(i)));
        }
        return converted;
    }

    private void check(long index) {
        if (index < 0 || index >= length) {
            throw new IndexOutOfBoundsException(
                    "element %d of %d %s elements".formatted(index, length, format));
        }
    }

    private int byteOf(long index) {
        return (int) (index * width / Byte.SIZE);
    }

    private int shiftOf(long index) {
        return (int) (index * width % Byte.SIZE);
    }

    /// Whether format, length and all codes are equal. Padding bits of the storage do not count.
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Codes codes) || codes.format != format || codes.length != length) {
            return false;
        }
        if (Arrays.equals(bytes, codes.bytes)) {
            return true;
        }
        for (long i = 0; i < length; i++) {
            if (bits(i) != codes.bits(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = format.hashCode();
        for (long i = 0; i < length; i++) {
            hash = 31 * hash + Long.hashCode(bits(i));
        }
        return hash;
    }

    /// `1024 x .f16`.
    @Override
    public String toString() {
        return length + " x " + format;
    }
}
