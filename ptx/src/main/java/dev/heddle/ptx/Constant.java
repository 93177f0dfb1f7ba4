package dev.heddle.ptx;

/// The value of a constant expression (PTX ISA 4.5).
public sealed interface Constant {

    /// A 64-bit integer, read as signed or unsigned in divisions and comparisons.
    ///
    /// @param value the 64 bits
    /// @param unsigned whether its type is `.u64` rather than `.s64`
    record IntegerConstant(long value, boolean unsigned) implements Constant {
        @Override
        public String toString() {
            return unsigned ? Long.toUnsignedString(value) + "U" : Long.toString(value);
        }
    }

    /// A double-precision value, by its bits so that NaN payloads and the sign of zero survive.
    ///
    /// @param bits IEEE 754 binary64
    record DoubleConstant(long bits) implements Constant {
        @Override
        public String toString() {
            return String.format("0d%016X", bits);
        }

        /// The value as Java holds it.
        public double value() {
            return Double.longBitsToDouble(bits);
        }
    }

    /// A single-precision value written as `0f` and eight hexadecimal digits.
    ///
    /// @param bits IEEE 754 binary32
    record SingleConstant(int bits) implements Constant {
        @Override
        public String toString() {
            return String.format("0f%08X", bits);
        }
    }
}
