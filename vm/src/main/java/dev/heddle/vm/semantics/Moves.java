package dev.heddle.vm.semantics;

/// What changes no bit of a value: moves, choices, other widths, packing (PTX ISA 9.7.9.3,
/// 9.7.9.4).
public final class Moves {
    private Moves() {}

    public static int zeroExtend8(int a) {
        return a & 0xff;
    }

    public static int zeroExtend16(int a) {
        return a & 0xffff;
    }

    public static int signExtend8(int a) {
        return (byte) a;
    }

    public static int signExtend16(int a) {
        return (short) a;
    }

    public static long zeroExtend32(int a) {
        return a & 0xffff_ffffL;
    }

    public static long signExtend32(int a) {
        return a;
    }

    public static int truncate64(long a) {
        return (int) a;
    }

    public static int high64(long a) {
        return (int) (a >>> 32);
    }

    public static int high32(int a) {
        return a >>> 16;
    }

    /// Byte `index` of a word.
    public static int byteOf32(int a, int index) {
        return a >>> 8 * index & 0xff;
    }

    /// A 64-bit register from its low and high word.
    public static long pair32(int low, int high) {
        return low & 0xffff_ffffL | (long) high << 32;
    }

    /// A 32-bit register from its low and high half.
    public static int pair16(int low, int high) {
        return low & 0xffff | high << 16;
    }

    /// A 16-bit register from its low and high byte.
    public static int pair8(int low, int high) {
        return low & 0xff | (high & 0xff) << 8;
    }

    public static int move32(int a) {
        return a;
    }

    public static long move64(long a) {
        return a;
    }

    public static boolean movePredicate(boolean a) {
        return a;
    }

    public static int select32(boolean condition, int a, int b) {
        return condition ? a : b;
    }

    public static long select64(boolean condition, long a, long b) {
        return condition ? a : b;
    }

    /// `set`: all ones where true; `.f32` results take 1.0 instead, see
    /// [FloatArithmetic#oneWhereF32].
    public static int onesWhere32(boolean condition) {
        return condition ? -1 : 0;
    }
}
