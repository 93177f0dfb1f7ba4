package dev.heddle.cli;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Matrix;
import dev.heddle.formats.Value;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How far an element of D is from the exact sum, in units in the last place of the exact value
/// rounded to D's format.
///
/// @param ulps the distance; empty if the element or the exact value is not finite
record UlpError(Optional<BigDecimal> ulps) {
    private static final MathContext DIGITS = MathContext.DECIMAL64;

    /// The errors of all elements, row by row.
    static List<UlpError> of(Form form, ExecCommand.Inputs inputs, Matrix d, String against) {
        if (!against.equals("exact")) {
            throw new UsageError("--against " + against + ": expected exact");
        }
        if (!(d.format() instanceof FloatFormat format)) {
            throw new UsageError(
                    "--against exact: D is " + d.format() + ", and integers are exact");
        }
        if (form.fragment(Role.D).computations() > 1) {
            throw new UsageError("--against exact: not for an instruction of four products");
        }
        List<UlpError> errors = new ArrayList<>();
        for (int row = 0; row < d.rows(); row++) {
            for (int column = 0; column < d.columns(); column++) {
                errors.add(error(format, exact(inputs, row, column), d.value(row, column)));
            }
        }
        return errors;
    }

    private static UlpError error(FloatFormat format, Optional<BigDecimal> exact, Value got) {
        if (exact.isEmpty() || !(got instanceof Value.Finite finite)) {
            return new UlpError(Optional.empty());
        }
        BigDecimal distance = finite.toBigDecimal().subtract(exact.get()).abs();
        return new UlpError(Optional.of(distance.divide(format.ulp(exact.get()), DIGITS)));
    }

    /// The exact value of an element; empty if an input of it is not finite.
    private static Optional<BigDecimal> exact(ExecCommand.Inputs inputs, int row, int column) {
        Optional<BigDecimal> sum = finite(inputs.c().value(row, column));
        int k = inputs.a().columns();
        for (int i = 0; i < k && sum.isPresent(); i++) {
            Optional<BigDecimal> a = scaled(inputs.a(), inputs.scaleA(), row, i, true);
            Optional<BigDecimal> b = scaled(inputs.b(), inputs.scaleB(), i, column, false);
            sum =
                    a.isPresent() && b.isPresent()
                            ? Optional.of(sum.get().add(a.get().multiply(b.get())))
                            : Optional.empty();
        }
        return sum;
    }

    private static Optional<BigDecimal> scaled(
            Matrix matrix, @Nullable Matrix scale, int row, int column, boolean ofA) {
        Optional<BigDecimal> value = finite(matrix.value(row, column));
        if (scale == null || value.isEmpty()) {
            return value;
        }
        int vectors = ofA ? scale.columns() : scale.rows();
        int span = (ofA ? matrix.columns() : matrix.rows()) / vectors;
        Optional<BigDecimal> factor =
                finite(ofA ? scale.value(row, column / span) : scale.value(row / span, column));
        return factor.map(f -> f.multiply(value.get()));
    }

    private static Optional<BigDecimal> finite(Value value) {
        return value instanceof Value.Finite finite
                ? Optional.of(finite.toBigDecimal())
                : Optional.empty();
    }

    /// `0.5`, or `-` where there is no finite value.
    String text() {
        return ulps.map(u -> String.format(Locale.ROOT, "%.3g", u.doubleValue())).orElse("-");
    }

    /// The errors as a table, and the largest.
    static List<String> lines(List<UlpError> errors, int columns) {
        List<String> lines = new ArrayList<>();
        lines.add("error in ulps against the exact sum");
        for (int first = 0; first < errors.size(); first += columns) {
            StringBuilder line = new StringBuilder();
            for (UlpError error : errors.subList(first, Math.min(first + 8, first + columns))) {
                line.append(String.format(Locale.ROOT, "  %8s", error.text()));
            }
            lines.add(line.append(columns > 8 ? "  …" : "").toString());
        }
        BigDecimal largest = BigDecimal.ZERO;
        for (UlpError error : errors) {
            largest = largest.max(error.ulps.orElse(BigDecimal.ZERO));
        }
        lines.add(String.format(Locale.ROOT, "largest: %.3g ulps", largest.doubleValue()));
        return lines;
    }
}
