package dev.heddle.explorer;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Value;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;
import dev.heddle.tensorcore.numerics.Evidence;
import dev.heddle.tensorcore.numerics.ExactProduct;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.tensorcore.numerics.Numerics;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a generation makes one element of D: its products in the order in which they are summed, and
/// the result after each of them, by the numerics' exact definition.
///
/// The sum after a product is what the rule gives if all later products are zero.
final class Execution {
    private final Form form;
    private final Generation generation;
    private final Accumulation rule;
    private final ExactProduct product;

    private Execution(Form form, Generation generation) {
        this.form = form;
        this.generation = generation;
        if (form.blockScaled()) {
            throw new IllegalArgumentException(
                    "block-scaled forms cannot be stepped through here: heddle exec executes them");
        }
        this.rule =
                Numerics.of(form, generation)
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                form
                                                        + " is not on "
                                                        + generation
                                                        + ": it needs "
                                                        + form.requirement()));
        this.product =
                new ExactProduct(
                        form.type(Role.A), form.type(Role.B), form.type(Role.C), form.type(Role.D));
    }

    /// @param a the values of a row of A (of a sparse A, the stored ones), separated by blanks;
    ///     missing ones are 0
    /// @param b the values of B that they meet
    /// @param c the value of the element of C
    /// @throws IllegalArgumentException if the generation lacks the form, or a value is no number
    static Map<String, Object> document(
            Form form, Generation generation, String a, String b, String c) {
        return new Execution(form, generation).document(a, b, c);
    }

    private Map<String, Object> document(String textA, String textB, String textC) {
        int count = form.storedColumns();
        long[] a = codes("a", textA, form.type(Role.A), count);
        long[] b = codes("b", textB, form.type(Role.B), count);
        long c = codes("c", textC, form.type(Role.C), 1)[0];
        List<Object> steps = new ArrayList<>();
        long[] summed = new long[count];
        for (int k : order(count)) {
            summed[k] = a[k];
            Map<String, Object> step = new LinkedHashMap<>();
            step.put("k", k);
            step.put("group", group(k, count));
            step.put("a", text(form.type(Role.A), a[k]));
            step.put("b", text(form.type(Role.B), b[k]));
            step.put("product", text(exact(a[k], b[k])));
            step.put("sum", text(form.type(Role.D), element(rule, summed, b, c)));
            steps.add(step);
        }
        long result = element(rule, a, b, c);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("generation", generation + ", " + generation.products());
        document.put("rule", rule.description());
        document.put("evidence", rule.evidence().stream().map(Evidence::toString).toList());
        document.put("steps", steps);
        document.put("result", text(form.type(Role.D), result));
        document.put("code", "0x" + Long.toHexString(result));
        if (rule instanceof FusedSum fused) {
            document.put(
                    "untruncated", text(form.type(Role.D), element(fused.unlimited(), a, b, c)));
        }
        return document;
    }

    private long element(Accumulation by, long[] a, long[] b, long c) {
        return product.element(by, new ExactProduct.Terms(a, b, c, false, Optional.empty()));
    }

    private int group(int k, int count) {
        return rule instanceof FusedSum fused ? fused.grouping().group(k, count) : 0;
    }

    private List<Integer> order(int count) {
        List<Integer> order = new ArrayList<>();
        for (int group = 0; group < 2; group++) {
            for (int k = 0; k < count; k++) {
                if (group(k, count) == group) {
                    order.add(k);
                }
            }
        }
        return order;
    }

    private Value exact(long a, long b) {
        if (form.type(Role.A).value(a) instanceof Value.Finite x
                && form.type(Role.B).value(b) instanceof Value.Finite y) {
            return new Value.Finite(
                    x.negative() != y.negative(),
                    x.significand().multiply(y.significand()),
                    x.exponent() + y.exponent());
        }
        return Value.of(form.type(Role.A).toDouble(a) * form.type(Role.B).toDouble(b));
    }

    private static String text(Format format, long code) {
        return text(format.value(code));
    }

    private static String text(Value value) {
        return switch (value) {
            case Value.Finite finite -> {
                BigDecimal decimal = finite.toBigDecimal().stripTrailingZeros();
                String plain = decimal.toString();
                yield plain.length() <= 40 ? plain : String.valueOf(decimal.doubleValue());
            }
            case Value.Infinity(boolean negative) -> negative ? "-inf" : "inf";
            case Value.NaN _ -> "NaN";
        };
    }

    private static long[] codes(String what, String text, Format format, int count) {
        String[] words = text.isBlank() ? new String[0] : text.strip().split("[\\s,]+", -1);
        if (words.length > count) {
            throw new IllegalArgumentException(
                    what + ": " + words.length + " values, expected at most " + count);
        }
        long[] codes = new long[count];
        for (int i = 0; i < words.length; i++) {
            codes[i] = code(what, words[i], format);
        }
        return codes;
    }

    private static long code(String what, String word, Format format) {
        try {
            double value = Double.parseDouble(word);
            if (Double.isNaN(value) && !(format instanceof FloatFormat)) {
                throw new NumberFormatException("NaN");
            }
            return format.encode(Value.of(value), Rounding.NEAREST_EVEN, Overflow.IEEE);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    what + " \"" + word + "\": expected a number for " + format.ptxName(), e);
        }
    }
}
