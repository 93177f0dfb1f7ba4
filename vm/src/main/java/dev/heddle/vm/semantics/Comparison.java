package dev.heddle.vm.semantics;

/// Comparisons, PTX ISA 9.3.1: those of which [SemanticMethod] makes all others, by exchanging
/// their operands or by their opposite. All are false if an operand is NaN, `notEqual` of floats
/// included.
public final class Comparison {
    private Comparison() {}

    public static boolean equal32(int a, int b) {
        return a == b;
    }

    public static boolean lessS32(int a, int b) {
        return a < b;
    }

    public static boolean lessU32(int a, int b) {
        return Integer.compareUnsigned(a, b) < 0;
    }

    public static boolean equal64(long a, long b) {
        return a == b;
    }

    public static boolean lessS64(long a, long b) {
        return a < b;
    }

    public static boolean lessU64(long a, long b) {
        return Long.compareUnsigned(a, b) < 0;
    }

    public static boolean equalF32(float a, float b) {
        return a == b;
    }

    public static boolean notEqualF32(float a, float b) {
        return a < b || a > b;
    }

    public static boolean lessF32(float a, float b) {
        return a < b;
    }

    public static boolean lessOrEqualF32(float a, float b) {
        return a <= b;
    }

    /// Neither operand is NaN.
    public static boolean orderedF32(float a, float b) {
        return !Float.isNaN(a) && !Float.isNaN(b);
    }

    public static boolean equalF64(double a, double b) {
        return a == b;
    }

    public static boolean notEqualF64(double a, double b) {
        return a < b || a > b;
    }

    public static boolean lessF64(double a, double b) {
        return a < b;
    }

    public static boolean lessOrEqualF64(double a, double b) {
        return a <= b;
    }

    /// Neither operand is NaN.
    public static boolean orderedF64(double a, double b) {
        return !Double.isNaN(a) && !Double.isNaN(b);
    }
}
