package dev.heddle.vm.semantics;

/// Comparisons, PTX ISA 9.3.1. A comparison whose name ends in `OrUnordered` is true if an operand
/// is NaN; the plain ones are false then, `notEqual` of floats included.
public final class Comparison {
    private Comparison() {}

    public static boolean equal32(int a, int b) {
        return a == b;
    }

    public static boolean notEqual32(int a, int b) {
        return a != b;
    }

    public static boolean lessS32(int a, int b) {
        return a < b;
    }

    public static boolean lessU32(int a, int b) {
        return Integer.compareUnsigned(a, b) < 0;
    }

    public static boolean lessOrEqualS32(int a, int b) {
        return a <= b;
    }

    public static boolean lessOrEqualU32(int a, int b) {
        return Integer.compareUnsigned(a, b) <= 0;
    }

    public static boolean greaterS32(int a, int b) {
        return a > b;
    }

    public static boolean greaterU32(int a, int b) {
        return Integer.compareUnsigned(a, b) > 0;
    }

    public static boolean greaterOrEqualS32(int a, int b) {
        return a >= b;
    }

    public static boolean greaterOrEqualU32(int a, int b) {
        return Integer.compareUnsigned(a, b) >= 0;
    }

    public static boolean equal64(long a, long b) {
        return a == b;
    }

    public static boolean notEqual64(long a, long b) {
        return a != b;
    }

    public static boolean lessS64(long a, long b) {
        return a < b;
    }

    public static boolean lessU64(long a, long b) {
        return Long.compareUnsigned(a, b) < 0;
    }

    public static boolean lessOrEqualS64(long a, long b) {
        return a <= b;
    }

    public static boolean lessOrEqualU64(long a, long b) {
        return Long.compareUnsigned(a, b) <= 0;
    }

    public static boolean greaterS64(long a, long b) {
        return a > b;
    }

    public static boolean greaterU64(long a, long b) {
        return Long.compareUnsigned(a, b) > 0;
    }

    public static boolean greaterOrEqualS64(long a, long b) {
        return a >= b;
    }

    public static boolean greaterOrEqualU64(long a, long b) {
        return Long.compareUnsigned(a, b) >= 0;
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

    public static boolean greaterF32(float a, float b) {
        return a > b;
    }

    public static boolean greaterOrEqualF32(float a, float b) {
        return a >= b;
    }

    public static boolean equalOrUnorderedF32(float a, float b) {
        return !(a < b || a > b);
    }

    public static boolean notEqualOrUnorderedF32(float a, float b) {
        return a != b;
    }

    public static boolean lessOrUnorderedF32(float a, float b) {
        return !(a >= b);
    }

    public static boolean lessOrEqualOrUnorderedF32(float a, float b) {
        return !(a > b);
    }

    public static boolean greaterOrUnorderedF32(float a, float b) {
        return !(a <= b);
    }

    public static boolean greaterOrEqualOrUnorderedF32(float a, float b) {
        return !(a < b);
    }

    /// Neither operand is NaN.
    public static boolean orderedF32(float a, float b) {
        return !Float.isNaN(a) && !Float.isNaN(b);
    }

    /// An operand is NaN.
    public static boolean unorderedF32(float a, float b) {
        return Float.isNaN(a) || Float.isNaN(b);
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

    public static boolean greaterF64(double a, double b) {
        return a > b;
    }

    public static boolean greaterOrEqualF64(double a, double b) {
        return a >= b;
    }

    public static boolean equalOrUnorderedF64(double a, double b) {
        return !(a < b || a > b);
    }

    public static boolean notEqualOrUnorderedF64(double a, double b) {
        return a != b;
    }

    public static boolean lessOrUnorderedF64(double a, double b) {
        return !(a >= b);
    }

    public static boolean lessOrEqualOrUnorderedF64(double a, double b) {
        return !(a > b);
    }

    public static boolean greaterOrUnorderedF64(double a, double b) {
        return !(a <= b);
    }

    public static boolean greaterOrEqualOrUnorderedF64(double a, double b) {
        return !(a < b);
    }

    /// Neither operand is NaN.
    public static boolean orderedF64(double a, double b) {
        return !Double.isNaN(a) && !Double.isNaN(b);
    }

    /// An operand is NaN.
    public static boolean unorderedF64(double a, double b) {
        return Double.isNaN(a) || Double.isNaN(b);
    }
}
