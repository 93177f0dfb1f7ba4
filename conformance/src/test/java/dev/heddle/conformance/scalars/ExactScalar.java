package dev.heddle.conformance.scalars;

import dev.heddle.formats.Rounding;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// What the manual says that a form computes, in unbounded numbers: arithmetic of `.f64`, sums and
/// products of `.f16` and `.bf16`, every comparison, selection, minimum and maximum, and
/// conversions from and to `.f64`.
///
/// A result that is a NaN is [Binary#nan], whatever its bits.
record ExactScalar(ScalarForm form, List<String> words) {
    private static final long WORD = 0xffff_ffffL;

    static ExactScalar of(ScalarForm form) {
        String mnemonic = form.text().split(" ", 2)[0];
        return new ExactScalar(form, Arrays.asList(mnemonic.split("[.]", -1)));
    }

    /// Whether it is one of these.
    boolean isCovered() {
        return switch (words.getFirst()) {
            case "add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt" ->
                    type().equals("f64") && !has("approx") || isHalf() && !has("oob");
            case "set", "setp", "selp", "slct", "min", "max", "testp" -> true;
            case "copysign", "abs", "neg" -> type().equals("f64");
            case "cvt" -> words.contains("f64");
            default -> false;
        };
    }

    private boolean isHalf() {
        return binary(type()) == Binary.F16 || binary(type()) == Binary.BF16;
    }

    private boolean has(String word) {
        return words.contains(word);
    }

    private String type() {
        return words.getLast();
    }

    private static @Nullable Binary binary(String type) {
        return switch (type) {
            case "f16", "f16x2" -> Binary.F16;
            case "bf16", "bf16x2" -> Binary.BF16;
            case "f32" -> Binary.F32;
            case "f64" -> Binary.F64;
            default -> null;
        };
    }

    private static boolean isPacked(String type) {
        return type.endsWith("x2");
    }

    private Rounding rounding() {
        for (Rounding rounding : Rounding.values()) {
            if (has(rounding.ptxName()) || has(rounding.ptxName() + "i")) {
                return rounding;
            }
        }
        return Rounding.NEAREST_EVEN;
    }

    /// A result with one NaN for all.
    long[] settled(long[] results) {
        String type =
                switch (words.getFirst()) {
                    case "setp", "selp", "slct", "testp", "copysign" -> "";
                    case "set", "cvt" -> words.get(words.size() - 2);
                    default -> type();
                };
        Binary format = binary(type);
        if (format == null) {
            return results;
        }
        long[] settled = results.clone();
        for (int i = 0; i < settled.length; i++) {
            settled[i] =
                    isPacked(type)
                            ? one(format, settled[i] >>> 16) << 16
                                    | one(format, settled[i] & 0xffff)
                            : one(format, settled[i]);
        }
        return settled;
    }

    private static long one(Binary format, long code) {
        return format.isNan(code) ? format.nan() : code;
    }

    /// The words of all destinations.
    long[] results(long... operands) {
        return switch (words.getFirst()) {
            case "setp" -> predicates(operands);
            case "set" -> new long[] {set(operands)};
            case "selp" -> new long[] {operands[2] != 0 ? operands[0] : operands[1]};
            case "slct" -> new long[] {isNotNegative(operands[2]) ? operands[0] : operands[1]};
            case "min", "max" -> new long[] {extremum(operands)};
            case "testp" -> new long[] {has(operands[0]) ? 1 : 0};
            case "copysign" ->
                    new long[] {Binary.F64.sign(operands[0]) | operands[1] & Long.MAX_VALUE};
            case "abs" -> new long[] {one(Binary.F64, operands[0] & Long.MAX_VALUE)};
            case "neg" -> new long[] {one(Binary.F64, operands[0] ^ Long.MIN_VALUE)};
            case "cvt" -> new long[] {converted(operands[0])};
            default -> new long[] {arithmetic(operands)};
        };
    }

    private long arithmetic(long[] operands) {
        Binary format = Objects.requireNonNull(binary(type()));
        if (!isPacked(type())) {
            return arithmetic(format, operands);
        }
        long low = arithmetic(format, Arrays.stream(operands).map(word -> word & 0xffff).toArray());
        long high = arithmetic(format, Arrays.stream(operands).map(word -> word >>> 16).toArray());
        return high << 16 | low;
    }

    private long arithmetic(Binary format, long[] operands) {
        Rounding rounding = rounding();
        Exact[] values =
                Arrays.stream(operands)
                        .map(code -> has("ftz") ? format.flushed(code) : code)
                        .mapToObj(format::value)
                        .toArray(Exact[]::new);
        Exact a = values[0];
        Exact b = values.length > 1 ? values[1] : a;
        return switch (words.getFirst()) {
            case "add" -> finished(format, a.plus(b, rounding));
            case "sub" -> finished(format, a.plus(b.negated(), rounding));
            case "mul" -> finished(format, a.times(b));
            case "div" -> a.over(b, Binary.F64, rounding);
            case "rcp" -> Exact.of(BigInteger.ONE).over(a, Binary.F64, rounding);
            case "sqrt" -> a.root(Binary.F64, rounding);
            default -> finished(format, a.times(b).plus(values[2], rounding));
        };
    }

    /// A sum or product, with what `.ftz`, `.sat` and `.relu` make of it.
    private long finished(Binary format, Exact value) {
        boolean flushed = has("ftz") && format.isFlushed(value, rounding());
        long code = flushed ? format.signed(value.negative(), 0) : format.code(value, rounding());
        if (has("sat")) {
            boolean nothing = format.isNan(code) || format.sign(code) != 0;
            return nothing ? 0 : Math.min(code, format.one());
        }
        return has("relu") && !format.isNan(code) && format.sign(code) != 0 ? 0 : code;
    }

    // Comparisons.

    private boolean holds(String type, long a, long b) {
        String word = words.get(1);
        Binary format = binary(type);
        if (format == null) {
            return holds(word, integer(type, a).compareTo(integer(type, b)));
        }
        Exact x = format.value(has("ftz") ? format.flushed(a) : a);
        Exact y = format.value(has("ftz") ? format.flushed(b) : b);
        boolean unordered = x.isNan() || y.isNan();
        return switch (word) {
            case "num" -> !unordered;
            case "nan" -> unordered;
            default -> {
                boolean orUnordered = word.length() == 3;
                yield unordered
                        ? orUnordered
                        : holds(orUnordered ? word.substring(0, 2) : word, x.compareTo(y));
            }
        };
    }

    private static boolean holds(String word, int order) {
        return switch (word) {
            case "eq" -> order == 0;
            case "ne" -> order != 0;
            case "lt", "lo" -> order < 0;
            case "le", "ls" -> order <= 0;
            case "gt", "hi" -> order > 0;
            case "ge", "hs" -> order >= 0;
            default -> throw new IllegalArgumentException(word);
        };
    }

    private static int bits(String type) {
        return Integer.parseInt(type.substring(1));
    }

    private static BigInteger integer(String type, long word) {
        BigInteger modulus = BigInteger.ONE.shiftLeft(bits(type));
        BigInteger value = BigInteger.valueOf(word).mod(modulus);
        return type.charAt(0) == 's' && value.testBit(bits(type) - 1)
                ? value.subtract(modulus)
                : value;
    }

    private boolean combined(boolean condition, long[] operands) {
        if (operands.length < 3) {
            return condition;
        }
        boolean c = operands[2] != 0;
        return has("and") ? condition && c : has("or") ? condition || c : condition != c;
    }

    private long[] predicates(long[] operands) {
        boolean[] p = new boolean[form.destinations().length()];
        if (isPacked(type())) {
            p[0] = holds(type(), operands[0] & 0xffff, operands[1] & 0xffff);
            p[1] = holds(type(), operands[0] >>> 16, operands[1] >>> 16);
        } else {
            p[0] = holds(type(), operands[0], operands[1]);
            if (p.length > 1) {
                p[1] = !p[0];
            }
        }
        long[] results = new long[p.length];
        for (int i = 0; i < p.length; i++) {
            results[i] = combined(p[i], operands) ? 1 : 0;
        }
        return results;
    }

    private long set(long[] operands) {
        String result = words.get(words.size() - 2);
        if (isPacked(type())) {
            boolean low = holds(type(), operands[0] & 0xffff, operands[1] & 0xffff);
            boolean high = holds(type(), operands[0] >>> 16, operands[1] >>> 16);
            Binary format = binary(result);
            long one = format == null ? 0xffff : format.one();
            return (combined(low, operands) ? one : 0) | (combined(high, operands) ? one << 16 : 0);
        }
        if (!combined(holds(type(), operands[0], operands[1]), operands)) {
            return 0;
        }
        Binary format = binary(result);
        return format == null ? (1L << bits(result)) - 1 : format.one();
    }

    private boolean isNotNegative(long selector) {
        if (type().equals("s32")) {
            return (int) selector >= 0;
        }
        Exact value = Binary.F32.value(has("ftz") ? Binary.F32.flushed(selector) : selector);
        return !value.isNan() && (!value.negative() || value.isZero());
    }

    private boolean has(long operand) {
        Binary format = type().equals("f32") ? Binary.F32 : Binary.F64;
        Exact value = format.value(operand);
        return switch (words.get(1)) {
            case "finite" -> value.kind() == Exact.Kind.FINITE;
            case "infinite" -> value.isInfinite();
            case "number" -> !value.isNan();
            case "notanumber" -> value.isNan();
            case "subnormal" -> format.isSubnormal(operand);
            // Zeros are normal numbers here.
            default -> value.kind() == Exact.Kind.FINITE && !format.isSubnormal(operand);
        };
    }

    // Minimum and maximum.

    private long extremum(long[] operands) {
        if (isPacked(type())) {
            return extremum(operands[0] & 0xffff, operands[1] & 0xffff)
                    | extremum(operands[0] >>> 16, operands[1] >>> 16) << 16;
        }
        return extremum(operands[0], operands[1]);
    }

    private long extremum(long a, long b) {
        boolean least = words.getFirst().equals("min");
        Binary format = binary(type());
        if (format != null) {
            return extremum(format, least, a, b);
        }
        String type = isPacked(type()) ? type().substring(0, 3) : type();
        BigInteger x = integer(type, a);
        BigInteger y = integer(type, b);
        BigInteger result = least ? x.min(y) : x.max(y);
        if (has("relu")) {
            result = result.max(BigInteger.ZERO);
        }
        return result.mod(BigInteger.ONE.shiftLeft(bits(type))).longValue();
    }

    private long extremum(Binary format, boolean least, long a, long b) {
        long x = has("ftz") ? format.flushed(a) : a;
        long y = has("ftz") ? format.flushed(b) : b;
        if (!has("xorsign")) {
            return chosen(format, least, x, y);
        }
        long result = chosen(format, least, x & format.nan(), y & format.nan());
        return format.isNan(result)
                ? result
                : format.sign(a) ^ format.sign(b) | result & format.nan();
    }

    /// Of a NaN and a number the number, but with `.NaN`; -0 is below +0.
    private long chosen(Binary format, boolean least, long a, long b) {
        if (format.isNan(a) || format.isNan(b)) {
            boolean none = has("NaN") || format.isNan(a) && format.isNan(b);
            return none ? format.nan() : format.isNan(a) ? b : a;
        }
        int order = format.value(a).compareTo(format.value(b));
        boolean first = order == 0 ? format.sign(a) != 0 : order < 0;
        return first == least ? a : b;
    }

    // Conversions.

    private long converted(long operand) {
        String to = words.get(words.size() - 2);
        Binary source = binary(type());
        Binary target = binary(to);
        if (source == null) {
            return rounded(Binary.F64, Exact.of(integer(type(), operand)));
        }
        long code = has("ftz") && source == Binary.F32 ? source.flushed(operand) : operand;
        Exact value = source.value(code);
        if (target == null) {
            return integral(to, value);
        }
        boolean toIntegral = words.stream().anyMatch(word -> word.matches("r.i"));
        return rounded(
                target,
                toIntegral && value.kind() == Exact.Kind.FINITE
                        ? value.integral(rounding())
                        : value);
    }

    private long rounded(Binary target, Exact value) {
        if (has("ftz") && target == Binary.F32 && target.isFlushed(value, rounding())) {
            return target.signed(value.negative() && !has("sat"), 0);
        }
        if (has("sat")) {
            boolean nothing = value.isNan() || value.negative() || value.isZero();
            if (nothing || value.compareTo(Exact.of(BigInteger.ONE)) >= 0) {
                return nothing ? 0 : target.one();
            }
        }
        return target.code(value, rounding());
    }

    /// PTX ISA 9.7.9.21: a NaN becomes 0, or the highest bit where `.f64` or 64 bits take part.
    private long integral(String to, Exact value) {
        int bits = bits(to);
        boolean signed = to.charAt(0) == 's';
        BigInteger least = signed ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
        BigInteger most =
                BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits).subtract(BigInteger.ONE);
        BigInteger result =
                switch (value.kind()) {
                    case NAN -> signed ? least : BigInteger.ONE.shiftLeft(bits - 1);
                    case INFINITE -> value.negative() ? least : most;
                    case FINITE -> value.integral(rounding()).integer().max(least).min(most);
                };
        return bits == 64 ? result.longValue() : result.longValue() & WORD;
    }
}
