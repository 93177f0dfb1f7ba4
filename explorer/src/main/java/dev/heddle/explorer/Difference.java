package dev.heddle.explorer;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Value;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.tensorcore.numerics.Numerics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// Inputs that two generations make different elements of D from.
final class Difference {
    private static final long SEED = 20_261_122;

    /// Inputs that are tried; a look-up must not take seconds.
    private static final int TRIES = 300;

    /// Most terms are zero, so that people can follow the sum.
    private static final int TERMS = 4;

    private final Form form;
    private final Random random = new Random(SEED);

    private Difference(Form form) {
        this.form = form;
    }

    /// Values `a`, `b` and `c` that differ, or a `message` why none was found.
    ///
    /// @throws IllegalArgumentException if a generation lacks the form
    static Map<String, Object> find(Form form, Generation one, Generation other) {
        return new Difference(form).find(one, other);
    }

    private Map<String, Object> find(Generation one, Generation other) {
        if (rule(one).equals(rule(other))) {
            return Map.of(
                    "message",
                    "%s and %s compute this form by the same rule".formatted(one, other));
        }
        for (int i = 0; i < TRIES; i++) {
            Map<String, String> question = question();
            Object first = ElementExecution.document(form, one, question).get("code");
            Object second = ElementExecution.document(form, other, question).get("code");
            if (first != null && !first.equals(second)) {
                Map<String, Object> found = new LinkedHashMap<>(question);
                found.put("tries", i + 1);
                return found;
            }
        }
        return Map.of(
                "message",
                "%s and %s made the same of %d random inputs".formatted(one, other, TRIES));
    }

    private Optional<String> rule(Generation generation) {
        return Numerics.of(form, generation).map(Accumulation::description);
    }

    private Map<String, String> question() {
        int k = form.shape().k();
        List<String> a = new ArrayList<>();
        List<String> b = new ArrayList<>();
        int every = Math.max(1, k / TERMS);
        for (int i = 0; i < k; i++) {
            boolean there = i % every == 0;
            a.add(there ? value(form.type(Role.A)) : "0");
            b.add(there ? value(form.type(Role.B)) : "0");
        }
        Map<String, String> question = new LinkedHashMap<>();
        question.put("a", String.join(" ", a));
        question.put("b", String.join(" ", b));
        question.put("c", value(form.type(Role.C)));
        return question;
    }

    /// A finite value whose size is anywhere around one.
    private String value(Format format) {
        return switch (format) {
            case IntegerFormat integer ->
                    Numeral.of(
                            integer, random.nextLong() & (1L << Math.min(format.bits(), 31)) - 1);
            case FloatFormat floating -> {
                int spread = Math.min(12, floating.exponent(floating.maxFinite()) - 1);
                double value =
                        Math.scalb(1 + random.nextDouble(), random.nextInt(2 * spread) - spread);
                long code =
                        floating.encode(
                                Value.of(random.nextBoolean() ? value : -value),
                                Rounding.NEAREST_EVEN,
                                Overflow.SATFINITE);
                yield "0x" + Long.toHexString(code);
            }
        };
    }
}
