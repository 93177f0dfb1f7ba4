package dev.heddle.formats;

/// A conversion of codes from one format to another, each value rounded once: what `cvt` does with
/// one element (PTX ISA 9.7.9.21).
///
/// - To the same format a code stays as it is, the payload of a NaN included.
/// - NaN becomes the canonical NaN of a floating-point format, the largest finite value where there
///   is none. The manual does not say which NaN; an H200 keeps payload bits when it converts
///   between f64 and f32 or f16.
/// - To an integer a value is rounded to an integer and clamped. NaN becomes zero, or, from f64 or
///   to a 64-bit integer, the code with only the highest bit set.
/// - Between integers a value is clamped, as with `.sat`; [IntegerFormat#wrap] is the chop without
///   it.
public record Conversion(Format from, Format to, Rounding rounding, Overflow overflow) {

    /// To the nearest, ties to even; values out of range saturate: `.rn.satfinite`.
    public static Conversion nearest(Format from, Format to) {
        return new Conversion(from, to, Rounding.NEAREST_EVEN, Overflow.SATFINITE);
    }

    /// The code in the target format.
    public long apply(long code) {
        if (from == to) {
            return code & to.mask();
        }
        return switch (to) {
            case FloatFormat target -> toFloat(code, target);
            case IntegerFormat target -> toInteger(code, target);
        };
    }

    private long toFloat(long code, FloatFormat target) {
        return switch (from) {
            case FloatFormat source -> target.encode(source.toDouble(code), rounding, overflow);
            case IntegerFormat source -> {
                long value = source.toLong(code);
                boolean negative = source.signed() && value < 0;
                yield target.encode(negative, negative ? -value : value, 0, rounding, overflow);
            }
        };
    }

    private long toInteger(long code, IntegerFormat target) {
        return switch (from) {
            case FloatFormat source when source.isNaN(code) ->
                    source == FloatFormat.F64 || target.bits() == Long.SIZE
                            ? 1L << (target.bits() - 1)
                            : 0;
            case FloatFormat source -> target.encode(source.toDouble(code), rounding);
            case IntegerFormat source -> target.encode(source.value(code), rounding, overflow);
        };
    }
}
