package dev.heddle.vm.texture;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.InputException;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What a texel consists of: one, two or four channels of a type.
///
/// @param channel the type of each
/// @param channels how many
public record TexelFormat(Channel channel, int channels) {
    /// The types of a channel.
    public enum Channel {
        U8(0x01, 1, false, 255),
        U16(0x02, 2, false, 65535),
        U32(0x03, 4, false, 0),
        S8(0x08, 1, true, 127),
        S16(0x09, 2, true, 32767),
        S32(0x0a, 4, true, 0),
        F16(0x10, 2, true, 0),
        F32(0x20, 4, true, 0);

        private final int driverNumber;
        private final int bytes;
        private final boolean signed;
        private final int one;

        Channel(int driverNumber, int bytes, boolean signed, int one) {
            this.driverNumber = driverNumber;
            this.bytes = bytes;
            this.signed = signed;
            this.one = one;
        }

        /// Its `CUarray_format`.
        public int driverNumber() {
            return driverNumber;
        }

        /// Bytes of a value.
        public int bytes() {
            return bytes;
        }

        /// Whether it is a floating-point type.
        public boolean isFloat() {
            return this == F16 || this == F32;
        }

        /// Whether it is an integer type with a sign.
        public boolean isSignedInteger() {
            return signed && !isFloat();
        }

        /// Whether a texture may read it as a number between 0 and 1, or between -1 and 1.
        public boolean isNormalizable() {
            return one > 0;
        }
    }

    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    public TexelFormat {
        if (channels != 1 && channels != 2 && channels != 4) {
            throw new InputException(channels + " channels: a texel has 1, 2 or 4");
        }
    }

    /// Bytes of a texel.
    public int bytes() {
        return channels * channel.bytes();
    }

    /// A channel's value as an integer, extended to 32 bits; a number's bits.
    int integer(MemorySegment memory, long texel, int index) {
        long place = texel + (long) index * channel.bytes;
        return switch (channel.bytes) {
            case 1 -> channel.signed ? memory.get(BYTE, place) : memory.get(BYTE, place) & 0xff;
            case 2 ->
                    channel.signed && channel != Channel.F16
                            ? memory.get(SHORT, place)
                            : memory.get(SHORT, place) & 0xffff;
            default -> memory.get(INT, place);
        };
    }

    /// A channel's value as a number: that of a floating-point format, or an integer as a part of
    /// its largest value.
    float number(MemorySegment memory, long texel, int index) {
        int integer = integer(memory, texel, index);
        return switch (channel) {
            case F32 -> Float.intBitsToFloat(integer);
            case F16 -> Float.float16ToFloat((short) integer);
            case U8, U16, S8, S16 -> Math.max(-1f, (float) integer / channel.one);
            case U32, S32 -> integer;
        };
    }

    /// Stores a channel from a register, as formatted stores do: a number is rounded to the
    /// format's type, an integer clamped to its range.
    public void store(MemorySegment memory, long texel, int index, int register) {
        long place = texel + (long) index * channel.bytes;
        switch (channel) {
            case F32, U32, S32 -> memory.set(INT, place, register);
            // Toward zero: measured on an H100.
            case F16 -> {
                float value = Float.intBitsToFloat(register);
                long code = FloatFormat.F16.encode(value, Rounding.TOWARD_ZERO, Overflow.IEEE);
                memory.set(SHORT, place, (short) code);
            }
            case U8 -> memory.set(BYTE, place, (byte) unsigned(register, 255));
            case U16 -> memory.set(SHORT, place, (short) unsigned(register, 65535));
            case S8 -> memory.set(BYTE, place, (byte) Math.clamp(register, -128, 127));
            case S16 -> memory.set(SHORT, place, (short) Math.clamp(register, -32768, 32767));
        }
    }

    private static int unsigned(int value, int most) {
        return Integer.compareUnsigned(value, most) > 0 ? most : value;
    }
}
