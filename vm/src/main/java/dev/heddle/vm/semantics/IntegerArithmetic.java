package dev.heddle.vm.semantics;

/// Integer arithmetic, PTX ISA 9.7.1 and 9.7.2.
public final class IntegerArithmetic {
    private IntegerArithmetic() {}

    public static int add32(int a, int b) {
        return a + b;
    }

    public static long add64(long a, long b) {
        return a + b;
    }

    public static int subtract32(int a, int b) {
        return a - b;
    }

    public static long subtract64(long a, long b) {
        return a - b;
    }

    public static int addSaturatingS32(int a, int b) {
        return saturateS32((long) a + b);
    }

    public static int subtractSaturatingS32(int a, int b) {
        return saturateS32((long) a - b);
    }

    private static int saturateS32(long value) {
        return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public static int multiply32(int a, int b) {
        return a * b;
    }

    public static long multiply64(long a, long b) {
        return a * b;
    }

    public static int multiplyHighS16(int a, int b) {
        return ((short) a * (short) b) >>> 16;
    }

    public static int multiplyHighU16(int a, int b) {
        return (a & 0xffff) * (b & 0xffff) >>> 16;
    }

    public static int multiplyHighS32(int a, int b) {
        return (int) ((long) a * b >> 32);
    }

    public static int multiplyHighU32(int a, int b) {
        return (int) ((a & 0xffff_ffffL) * (b & 0xffff_ffffL) >>> 32);
    }

    public static long multiplyHighS64(long a, long b) {
        return Math.multiplyHigh(a, b);
    }

    public static long multiplyHighU64(long a, long b) {
        return Math.unsignedMultiplyHigh(a, b);
    }

    public static long multiplyWideS32(int a, int b) {
        return (long) a * b;
    }

    public static long multiplyWideU32(int a, int b) {
        return (a & 0xffff_ffffL) * (b & 0xffff_ffffL);
    }

    /// `mul24.lo.s32`: the low half of the 48-bit product of the low 24 bits.
    public static int multiply24LowS32(int a, int b) {
        return (int) multiply24S(a, b);
    }

    public static int multiply24LowU32(int a, int b) {
        return (int) multiply24U(a, b);
    }

    /// `mul24.hi.s32`: bits 47 to 16 of the product.
    public static int multiply24HighS32(int a, int b) {
        return (int) (multiply24S(a, b) >> 16);
    }

    public static int multiply24HighU32(int a, int b) {
        return (int) (multiply24U(a, b) >>> 16);
    }

    private static long multiply24S(int a, int b) {
        return (long) (a << 8 >> 8) * (b << 8 >> 8);
    }

    private static long multiply24U(int a, int b) {
        return (a & 0xff_ffffL) * (b & 0xff_ffffL);
    }

    /// The carry flag after `a + b + carry`.
    public static int carryOfAdd32(int a, int b, int carry) {
        return (int) ((a & 0xffff_ffffL) + (b & 0xffff_ffffL) + carry >>> 32);
    }

    public static int carryOfAdd64(long a, long b, int carry) {
        long sum = a + b + carry;
        // A wrap shows as a sum below an addend; with a carry in, equality is a wrap as well.
        return Long.compareUnsigned(sum, a) < 0 || (carry != 0 && sum == a) ? 1 : 0;
    }

    public static int addWithCarry32(int a, int b, int carry) {
        return a + b + carry;
    }

    public static long addWithCarry64(long a, long b, int carry) {
        return a + b + carry;
    }

    /// `c + |a - b|`.
    public static int sadS32(int a, int b, int c) {
        return c + (a < b ? b - a : a - b);
    }

    public static int sadS16(int a, int b, int c) {
        return sadS32(a, b, c);
    }

    public static int sadU16(int a, int b, int c) {
        return sadS32(a, b, c);
    }

    public static int sadU32(int a, int b, int c) {
        return c + (Integer.compareUnsigned(a, b) < 0 ? b - a : a - b);
    }

    public static long sadS64(long a, long b, long c) {
        return c + (a < b ? b - a : a - b);
    }

    public static long sadU64(long a, long b, long c) {
        return c + (Long.compareUnsigned(a, b) < 0 ? b - a : a - b);
    }

    // Division by zero is machine-specific in the manual; the vendor's code sequences give all
    // ones
    // for
    // quotient and remainder.

    public static int divideS32(int a, int b) {
        return b == 0 ? -1 : a / b;
    }

    public static int divideU32(int a, int b) {
        return b == 0 ? -1 : Integer.divideUnsigned(a, b);
    }

    public static long divideS64(long a, long b) {
        return b == 0 ? -1 : a / b;
    }

    public static long divideU64(long a, long b) {
        return b == 0 ? -1 : Long.divideUnsigned(a, b);
    }

    public static int remainderS32(int a, int b) {
        return b == 0 ? -1 : a % b;
    }

    public static int remainderU32(int a, int b) {
        return b == 0 ? -1 : Integer.remainderUnsigned(a, b);
    }

    public static long remainderS64(long a, long b) {
        return b == 0 ? -1 : a % b;
    }

    public static long remainderU64(long a, long b) {
        return b == 0 ? -1 : Long.remainderUnsigned(a, b);
    }

    public static int absolute32(int a) {
        return Math.abs(a);
    }

    public static long absolute64(long a) {
        return Math.abs(a);
    }

    public static int negate32(int a) {
        return -a;
    }

    public static long negate64(long a) {
        return -a;
    }

    public static int minimumS32(int a, int b) {
        return Math.min(a, b);
    }

    public static int minimumU32(int a, int b) {
        return Math.min(a ^ 0x8000_0000, b ^ 0x8000_0000) ^ 0x8000_0000;
    }

    public static long minimumS64(long a, long b) {
        return Math.min(a, b);
    }

    public static long minimumU64(long a, long b) {
        return Math.min(a ^ Long.MIN_VALUE, b ^ Long.MIN_VALUE) ^ Long.MIN_VALUE;
    }

    public static int maximumS32(int a, int b) {
        return Math.max(a, b);
    }

    public static int maximumU32(int a, int b) {
        return Math.max(a ^ 0x8000_0000, b ^ 0x8000_0000) ^ 0x8000_0000;
    }

    public static long maximumS64(long a, long b) {
        return Math.max(a, b);
    }

    public static long maximumU64(long a, long b) {
        return Math.max(a ^ Long.MIN_VALUE, b ^ Long.MIN_VALUE) ^ Long.MIN_VALUE;
    }

    /// `dp4a.s32.s32`.
    public static int dp4aS32S32(int a, int b, int c) {
        return c
                + (byte) a * (byte) b
                + (byte) (a >> 8) * (byte) (b >> 8)
                + (byte) (a >> 16) * (byte) (b >> 16)
                + (a >> 24) * (b >> 24);
    }

    public static int dp4aS32U32(int a, int b, int c) {
        return c
                + (byte) a * (b & 0xff)
                + (byte) (a >> 8) * (b >> 8 & 0xff)
                + (byte) (a >> 16) * (b >> 16 & 0xff)
                + (a >> 24) * (b >>> 24);
    }

    public static int dp4aU32S32(int a, int b, int c) {
        return dp4aS32U32(b, a, c);
    }

    public static int dp4aU32U32(int a, int b, int c) {
        return c
                + (a & 0xff) * (b & 0xff)
                + (a >> 8 & 0xff) * (b >> 8 & 0xff)
                + (a >> 16 & 0xff) * (b >> 16 & 0xff)
                + (a >>> 24) * (b >>> 24);
    }

    /// Two 16-bit values times the low two bytes.
    public static int dp2aLoS32S32(int a, int b, int c) {
        return c + (short) a * (byte) b + (a >> 16) * (byte) (b >> 8);
    }

    public static int dp2aLoS32U32(int a, int b, int c) {
        return c + (short) a * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
    }

    public static int dp2aLoU32S32(int a, int b, int c) {
        return c + (a & 0xffff) * (byte) b + (a >>> 16) * (byte) (b >> 8);
    }

    public static int dp2aLoU32U32(int a, int b, int c) {
        return c + (a & 0xffff) * (b & 0xff) + (a >>> 16) * (b >> 8 & 0xff);
    }

    /// Times the high two bytes.
    public static int dp2aHiS32S32(int a, int b, int c) {
        return dp2aLoS32S32(a, b >>> 16, c);
    }

    public static int dp2aHiS32U32(int a, int b, int c) {
        return dp2aLoS32U32(a, b >>> 16, c);
    }

    public static int dp2aHiU32S32(int a, int b, int c) {
        return dp2aLoU32S32(a, b >>> 16, c);
    }

    public static int dp2aHiU32U32(int a, int b, int c) {
        return dp2aLoU32U32(a, b >>> 16, c);
    }
}
