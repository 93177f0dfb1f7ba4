package dev.heddle.vm.semantics;

/// Logic, shifts and bit fields: PTX ISA 9.7.8 and parts of 9.7.1 and 9.7.9.
public final class BitManipulation {
    private BitManipulation() {}

    public static int and32(int a, int b) {
        return a & b;
    }

    public static long and64(long a, long b) {
        return a & b;
    }

    public static int or32(int a, int b) {
        return a | b;
    }

    public static long or64(long a, long b) {
        return a | b;
    }

    public static int xor32(int a, int b) {
        return a ^ b;
    }

    public static long xor64(long a, long b) {
        return a ^ b;
    }

    public static int not32(int a) {
        return ~a;
    }

    public static long not64(long a) {
        return ~a;
    }

    /// `cnot`: one if zero, else zero.
    public static int cnotB16(int a) {
        return a == 0 ? 1 : 0;
    }

    public static int cnotB32(int a) {
        return a == 0 ? 1 : 0;
    }

    public static long cnotB64(long a) {
        return a == 0 ? 1 : 0;
    }

    /// `lop3.b32`: bit i of the table answers for the input bits (a, b, c) = (i2, i1, i0).
    public static int lookup32(int a, int b, int c, int table) {
        int result = 0;
        if ((table & 0x01) != 0) {
            result |= ~a & ~b & ~c;
        }
        if ((table & 0x02) != 0) {
            result |= ~a & ~b & c;
        }
        if ((table & 0x04) != 0) {
            result |= ~a & b & ~c;
        }
        if ((table & 0x08) != 0) {
            result |= ~a & b & c;
        }
        if ((table & 0x10) != 0) {
            result |= a & ~b & ~c;
        }
        if ((table & 0x20) != 0) {
            result |= a & ~b & c;
        }
        if ((table & 0x40) != 0) {
            result |= a & b & ~c;
        }
        if ((table & 0x80) != 0) {
            result |= a & b & c;
        }
        return result;
    }

    // Shift amounts are unsigned and clamp at the register's width, PTX ISA 9.7.8.8 and 9.7.8.9.

    public static int shiftLeft32(int a, int amount) {
        return (amount & ~31) != 0 ? 0 : a << amount;
    }

    public static long shiftLeft64(long a, int amount) {
        return (amount & ~63) != 0 ? 0 : a << amount;
    }

    public static int shiftRightS32(int a, int amount) {
        return a >> ((amount & ~31) != 0 ? 31 : amount);
    }

    public static long shiftRightS64(long a, int amount) {
        return a >> ((amount & ~63) != 0 ? 63 : amount);
    }

    public static int shiftRightU32(int a, int amount) {
        return (amount & ~31) != 0 ? 0 : a >>> amount;
    }

    public static long shiftRightU64(long a, int amount) {
        return (amount & ~63) != 0 ? 0 : a >>> amount;
    }

    /// `shf.l.clamp`: the high word of (high:low) shifted left.
    public static int funnelLeftClamp32(int low, int high, int amount) {
        return (amount & ~31) != 0 ? low : funnelLeftWrap32(low, high, amount);
    }

    public static int funnelLeftWrap32(int low, int high, int amount) {
        return (int) (Moves.pair32(low, high) << (amount & 31) >>> 32);
    }

    /// `shf.r.clamp`: the low word of (high:low) shifted right.
    public static int funnelRightClamp32(int low, int high, int amount) {
        return (amount & ~31) != 0 ? high : funnelRightWrap32(low, high, amount);
    }

    public static int funnelRightWrap32(int low, int high, int amount) {
        return (int) (Moves.pair32(low, high) >>> (amount & 31));
    }

    public static int populationCount32(int a) {
        return Integer.bitCount(a);
    }

    public static int populationCount64(long a) {
        return Long.bitCount(a);
    }

    public static int leadingZeros32(int a) {
        return Integer.numberOfLeadingZeros(a);
    }

    public static int leadingZeros64(long a) {
        return Long.numberOfLeadingZeros(a);
    }

    /// `bfind.u32`: position of the most significant one, all ones if there is none.
    public static int bfindU32(int a) {
        return 31 - Integer.numberOfLeadingZeros(a);
    }

    /// `bfind.s32`: position of the most significant bit that differs from the sign.
    public static int bfindS32(int a) {
        return bfindU32(a < 0 ? ~a : a);
    }

    public static int bfindU64(long a) {
        return 63 - Long.numberOfLeadingZeros(a);
    }

    public static int bfindS64(long a) {
        return bfindU64(a < 0 ? ~a : a);
    }

    /// `bfind.shiftamt.u32`: the left shift that brings the found bit to the top.
    public static int bfindShiftamtU32(int a) {
        return a == 0 ? -1 : Integer.numberOfLeadingZeros(a);
    }

    public static int bfindShiftamtS32(int a) {
        return bfindShiftamtU32(a < 0 ? ~a : a);
    }

    public static int bfindShiftamtU64(long a) {
        return a == 0 ? -1 : Long.numberOfLeadingZeros(a);
    }

    public static int bfindShiftamtS64(long a) {
        return bfindShiftamtU64(a < 0 ? ~a : a);
    }

    /// `fns.b32`, PTX ISA 9.7.1.17. The manual leaves a base beyond 31 open: an H100 finds nothing.
    public static int fnsB32(int mask, int base, int offset) {
        if (offset == 0) {
            return base >= 0 && base < 32 && (mask >>> base & 1) != 0 ? base : -1;
        }
        int remaining = Math.abs(offset) - 1;
        int step = offset > 0 ? 1 : -1;
        for (int position = base; position >= 0 && position < 32; position += step) {
            if ((mask >>> position & 1) != 0 && remaining-- == 0) {
                return position;
            }
        }
        return -1;
    }

    public static int reverse32(int a) {
        return Integer.reverse(a);
    }

    public static long reverse64(long a) {
        return Long.reverse(a);
    }

    /// `bfe.u32`: position and length count in their low eight bits.
    public static int extractU32(int a, int position, int length) {
        return (int) extract(a & 0xffff_ffffL, position & 0xff, length & 0xff, false, 31);
    }

    public static int extractS32(int a, int position, int length) {
        return (int) extract(a, position & 0xff, length & 0xff, true, 31);
    }

    public static long extractU64(long a, int position, int length) {
        return extract(a, position & 0xff, length & 0xff, false, 63);
    }

    public static long extractS64(long a, int position, int length) {
        return extract(a, position & 0xff, length & 0xff, true, 63);
    }

    private static long extract(long a, int position, int length, boolean signed, int top) {
        if (length == 0) {
            return 0;
        }
        long sign = signed && (a >>> Math.min(position + length - 1, top) & 1) != 0 ? -1 : 0;
        if (position > top) {
            return sign;
        }
        long field = a >>> position;
        int kept = Math.min(length, top + 1 - position);
        return kept >= 64 ? field : field & ~(-1L << kept) | sign << kept;
    }

    /// `bfi.b32`: the low `length` bits of `a` placed into `b` at `position`.
    public static int insert32(int a, int b, int position, int length) {
        int at = position & 0xff;
        int count = length & 0xff;
        if (at > 31 || count == 0) {
            return b;
        }
        int mask = (count > 31 ? -1 : (1 << count) - 1) << at;
        return b & ~mask | a << at & mask;
    }

    public static long insert64(long a, long b, int position, int length) {
        int at = position & 0xff;
        int count = length & 0xff;
        if (at > 63 || count == 0) {
            return b;
        }
        long mask = (count > 63 ? -1 : (1L << count) - 1) << at;
        return b & ~mask | a << at & mask;
    }

    /// `szext.clamp.s32`, PTX ISA 9.7.1.21.
    public static int szextClampS32(int a, int bits) {
        return (bits & ~31) != 0 ? a : szextWrapS32(a, bits);
    }

    public static int szextClampU32(int a, int bits) {
        return (bits & ~31) != 0 ? a : szextWrapU32(a, bits);
    }

    public static int szextWrapS32(int a, int bits) {
        int kept = bits & 31;
        return kept == 0 ? 0 : a << 32 - kept >> 32 - kept;
    }

    public static int szextWrapU32(int a, int bits) {
        return a & ~(-1 << (bits & 31));
    }

    /// `bmsk.clamp.b32`, PTX ISA 9.7.1.22.
    public static int bmskClampB32(int position, int width) {
        if ((position & ~31) != 0) {
            return 0;
        }
        return (width & ~31) != 0 ? -1 << position : bmskWrapB32(position, width);
    }

    public static int bmskWrapB32(int position, int width) {
        int at = position & 31;
        int count = width & 31;
        int below = at + count >= 32 ? 0 : -1 << at + count;
        return -1 << at & ~below;
    }

    /// `prmt.b32` without a mode: each nibble of the selector names a byte of (b:a), its top bit
    /// asks for the sign only.
    public static int permute32(int a, int b, int selector) {
        return permuted(Moves.pair32(a, b), selector, 0)
                | permuted(Moves.pair32(a, b), selector >> 4, 8)
                | permuted(Moves.pair32(a, b), selector >> 8, 16)
                | permuted(Moves.pair32(a, b), selector >> 12, 24);
    }

    private static int permuted(long bytes, int nibble, int at) {
        int value = (byte) (bytes >>> (nibble & 7) * 8);
        return (((nibble & 8) != 0 ? value >> 31 : value) & 0xff) << at;
    }

    /// `prmt.b32.f4e`: four bytes upward from the selected one.
    public static int permuteForward32(int a, int b, int selector) {
        int s = selector & 3;
        return permute32(a, b, s | s + 1 << 4 | s + 2 << 8 | s + 3 << 12);
    }

    /// `prmt.b32.b4e`: four bytes downward, wrapping.
    public static int permuteBackward32(int a, int b, int selector) {
        int s = selector & 3;
        return permute32(a, b, s | (s + 7 & 7) << 4 | (s + 6 & 7) << 8 | (s + 5 & 7) << 12);
    }

    /// `prmt.b32.rc8`: one byte, four times.
    public static int permuteReplicate8x32(int a, int b, int selector) {
        return permute32(a, b, (selector & 3) * 0x1111);
    }

    /// `prmt.b32.ecl`: byte i of the result is byte max(i, s) of `a`.
    public static int permuteClampLeft32(int a, int b, int selector) {
        int s = selector & 3;
        return permute32(a, b, s | Math.max(1, s) << 4 | Math.max(2, s) << 8 | 3 << 12);
    }

    /// `prmt.b32.ecr`: byte i of the result is byte min(i, s) of `a`.
    public static int permuteClampRight32(int a, int b, int selector) {
        int s = selector & 3;
        return permute32(a, b, Math.min(1, s) << 4 | Math.min(2, s) << 8 | s << 12);
    }

    /// `prmt.b32.rc16`: one half, twice.
    public static int permuteReplicate16x32(int a, int b, int selector) {
        return permute32(a, b, (selector & 1) == 0 ? 0x1010 : 0x3232);
    }

    public static boolean andPredicate(boolean a, boolean b) {
        return a && b;
    }

    public static boolean orPredicate(boolean a, boolean b) {
        return a || b;
    }

    public static boolean xorPredicate(boolean a, boolean b) {
        return a ^ b;
    }

    public static boolean notPredicate(boolean a) {
        return !a;
    }
}
