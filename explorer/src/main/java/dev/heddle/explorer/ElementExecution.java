package dev.heddle.explorer;

import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Matrix;
import dev.heddle.formats.Value;
import dev.heddle.isa.Form;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.rule.Rule;
import dev.heddle.tensorcore.MatrixProduct;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.tensorcore.numerics.Accumulation;
import dev.heddle.tensorcore.numerics.Evidence;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.tensorcore.numerics.Numerics;
import dev.heddle.tensorcore.numerics.Trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// How a generation makes one element of D: what it adds, in which order, at which place it cuts
/// terms off, and how it rounds, as [Trace] has it.
final class ElementExecution {
    private static final int REMARKS = 8;

    private final Form form;
    private final Accumulation rule;
    private final Operands operands;
    private final Trace trace;

    /// Values that the formats do not have, and what they became.
    private final List<String> remarks = new ArrayList<>();

    /// Where an element of D comes from, as codes.
    ///
    /// @param a       a row of A; of a sparse form the stored elements
    /// @param columns the dense column of each of them
    /// @param b       a column of B, whole
    /// @param c       the element of C
    /// @param nibbles the metadata of the row, one a chunk; empty of a dense form
    /// @param scaleA  the scale factors of the row; empty without block scaling
    /// @param scaleB  the scale factors of the column
    private record Operands(
            List<Long> a,
            List<Integer> columns,
            List<Long> b,
            long c,
            List<Integer> nibbles,
            List<Long> scaleA,
            List<Long> scaleB) {}

    private ElementExecution(Form form, Generation generation, Map<String, String> values) {
        this.form = form;
        String message = form + " is not on " + generation + ": it needs " + form.requirement();
        this.rule = Numerics.of(form, generation).orElseThrow(() -> new InputException(message));
        this.operands = operands(values);
        MatrixProduct product = MatrixProduct.of(TensorCore.of(form, generation));
        this.trace = product.trace(inputs(product), 0, 0);
    }

    /// @param values the question: `a`, a row of dense A; `b`, a column of B; `c`; `e`, the nibbles
    ///     of the row, of a sparse form; `sfa` and `sfb`, of a block-scaled one; what is missing is
    ///     zero, or the example's
    /// @throws InputException if the generation lacks the form, a value is no number, or
    ///     metadata is invalid
    static Map<String, Object> document(
            Form form, Generation generation, Map<String, String> values) {
        return new ElementExecution(form, generation, values).document();
    }

    private Operands operands(Map<String, String> values) {
        Format format = form.type(Role.A);
        int k = form.shape().k();
        List<Long> dense = codes("A", values.getOrDefault("a", ""), format, k);
        List<Integer> nibbles = nibbles(values.getOrDefault("e", ""));
        List<Integer> columns = columns(nibbles);
        return new Operands(
                columns.stream().map(dense::get).toList(),
                columns,
                codes("B", values.getOrDefault("b", ""), form.type(Role.B), k),
                codes("C", values.getOrDefault("c", ""), form.type(Role.C), 1).getFirst(),
                nibbles,
                scales(Role.A, values.getOrDefault("sfa", "")),
                scales(Role.B, values.getOrDefault("sfb", "")));
    }

    private List<Long> scales(Role role, String text) {
        return form.scaleFactors(role)
                .map(
                        (ScaleFactors factors) -> {
                            String given = text.isBlank() ? "1 ".repeat(factors.vectors()) : text;
                            return codes(
                                    "scale factors of " + role,
                                    given,
                                    factors.format(),
                                    factors.vectors());
                        })
                .orElse(List.of());
    }

    /// The metadata of the row: as given, a hexadecimal digit a chunk, or all the first pattern.
    private List<Integer> nibbles(String text) {
        if (!form.sparse()) {
            return List.of();
        }
        Metadata metadata = form.metadata().orElseThrow();
        if (!text.matches("[0-9a-fA-F]{0," + metadata.chunks() + "}")) {
            throw new InputException(
                    "metadata \"%s\": expected %s hexadecimal digits, one a chunk"
                            .formatted(text, metadata.chunks()));
        }
        List<Integer> nibbles = new ArrayList<>();
        for (int chunk = 0; chunk < metadata.chunks(); chunk++) {
            int nibble =
                    chunk < text.length()
                            ? Character.digit(text.charAt(chunk), 16)
                            : metadata.granularity().nibbles(true).getFirst();
            if (metadata.brokenBy(nibble).isPresent()) {
                Rule broken = metadata.brokenBy(nibble).get();
                throw new InputException(
                        "%s: %s, found 0x%x for chunk %d [%s, PTX ISA %s]"
                                .formatted(
                                        broken.verdict(),
                                        broken.text(),
                                        nibble,
                                        chunk,
                                        broken.id(),
                                        broken.section()));
            }
            nibbles.add(nibble);
        }
        return nibbles;
    }

    /// The dense column of every element that takes part.
    private List<Integer> columns(List<Integer> nibbles) {
        List<Integer> columns = new ArrayList<>();
        for (int element = 0; element < form.storedColumns(); element++) {
            if (nibbles.isEmpty()) {
                columns.add(element);
            } else {
                Granularity granularity = form.granularity().orElseThrow();
                int chunk = element / granularity.stored();
                columns.add(
                        chunk * granularity.width()
                                + granularity.column(
                                        nibbles.get(chunk), element % granularity.stored()));
            }
        }
        return columns;
    }

    /// The matrices whose row 0 and column 0 are the operands.
    private MatrixProduct.Inputs inputs(MatrixProduct product) {
        int m = form.shape().m();
        int n = form.shape().n();
        int k = form.shape().k();
        Matrix a = Matrix.zeros(form.type(Role.A), product.extent(Role.A)[0], operands.a.size());
        Matrix b = zeros(product, Role.B);
        Matrix c = zeros(product, Role.C);
        for (int i = 0; i < operands.a.size(); i++) {
            a.set(0, i, operands.a.get(i));
        }
        for (int i = 0; i < k; i++) {
            b.set(i, 0, operands.b.get(i));
        }
        c.set(0, 0, operands.c);
        MatrixProduct.Inputs inputs = new MatrixProduct.Inputs(a, b, c);
        if (form.sparse()) {
            inputs = inputs.withStored(a, metadata());
        }
        if (form.blockScaled()) {
            ScaleFactors ofA = form.scaleFactors(Role.A).orElseThrow();
            ScaleFactors ofB = form.scaleFactors(Role.B).orElseThrow();
            inputs =
                    inputs.withScales(
                            Matrix.of(
                                    ofA.format(),
                                    m,
                                    ofA.vectors(),
                                    (_, vector) -> operands.scaleA.get(vector)),
                            Matrix.of(
                                    ofB.format(),
                                    ofB.vectors(),
                                    n,
                                    (vector, _) -> operands.scaleB.get(vector)));
        }
        return inputs;
    }

    private Matrix zeros(MatrixProduct product, Role role) {
        int[] extent = product.extent(role);
        return Matrix.zeros(form.type(role), extent[0], extent[1]);
    }

    private Matrix metadata() {
        Metadata metadata = form.metadata().orElseThrow();
        return Matrix.of(
                IntegerFormat.U4,
                metadata.rows(),
                metadata.chunks(),
                (_, chunk) -> operands.nibbles.get(chunk));
    }

    private Map<String, Object> document() {
        List<String> lines = new ArrayList<>();
        lines.add("Rule: " + rule.description() + ".");
        lines.add(
                "Evidence: "
                        + String.join(
                                "; ", rule.evidence().stream().map(Evidence::toString).toList())
                        + ".");
        for (int pass = 0; pass < trace.passes().size(); pass++) {
            lines.addAll(summary(pass));
        }
        List<List<String>> steps = new ArrayList<>();
        for (int pass = 0; pass < trace.passes().size(); pass++) {
            for (Trace.Term term : trace.passes().get(pass).terms()) {
                steps.add(step(pass, term));
            }
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("result", Numeral.of(form.type(Role.D), trace.code()));
        document.put("code", "0x" + Long.toHexString(trace.code()));
        document.put("lines", lines);
        document.put(
                "heads",
                List.of("sum", "term", "a", "b", "exact", "exponent", "kept", "cut off", "so far"));
        document.put("steps", steps);
        document.put("bits", form.type(Role.D).bits());
        document.put("terms", terms());
        document.put("sums", new TraceBits(trace, this::name).document());
        document.put("remarks", remarks);
        return document;
    }

    /// What each term of each sum is made of: the dense columns of A, or `C`, or nothing.
    private List<Object> terms() {
        List<Object> terms = new ArrayList<>();
        for (Trace.Pass pass : trace.passes()) {
            for (Trace.Term term : pass.terms()) {
                terms.add(
                        switch (term.source()) {
                            case Trace.Product(int first, int count) ->
                                    operands.columns.subList(first, first + count);
                            case Trace.Accumulator() -> "C";
                            case Trace.Earlier _, Trace.Zero _ -> "";
                        });
            }
        }
        return terms;
    }

    /// What becomes of a sum that is aligned.
    private List<String> summary(int index) {
        Trace.Pass pass = trace.passes().get(index);
        if (pass.alignment().isEmpty()) {
            return List.of();
        }
        String sum = trace.passes().size() == 1 ? "The sum" : "Sum " + (index + 1);
        String cut =
                pass.fractionBits()
                        .map(
                                bits ->
                                        "with %d fraction bits, what is below 2^%d is cut off"
                                                .formatted(bits, pass.alignment().get() - bits))
                        .orElse("nothing is cut off");
        return List.of(
                "%s: the largest exponent is %d; %s; what is left adds up to %s, which becomes %s."
                        .formatted(
                                sum,
                                pass.alignment().get(),
                                cut,
                                Numeral.of(pass.sum()),
                                Numeral.of(pass.result())));
    }

    private List<String> step(int pass, Trace.Term term) {
        String a = "";
        String b = "";
        if (term.source() instanceof Trace.Product(int first, int count)) {
            List<Integer> columns = operands.columns.subList(first, first + count);
            a = numerals(Role.A, operands.a.subList(first, first + count));
            b = numerals(Role.B, columns.stream().map(operands.b::get).toList());
            a += scales(Role.A, operands.scaleA, columns);
            b += scales(Role.B, operands.scaleB, columns);
        }
        return List.of(
                String.valueOf(pass + 1),
                name(term.source()),
                a,
                b,
                Numeral.of(term.exact()),
                term.exponent().map(String::valueOf).orElse(""),
                Numeral.of(term.kept()),
                term.cut() instanceof Value.Finite cut && cut.isZero()
                        ? ""
                        : Numeral.of(term.cut()),
                Numeral.of(term.running()));
    }

    private String numerals(Role role, List<Long> codes) {
        return codes.stream()
                .map(code -> Numeral.of(form.type(role), code))
                .collect(Collectors.joining(" "));
    }

    /// The scale factors of columns: nothing without block scaling.
    private String scales(Role role, List<Long> scales, List<Integer> columns) {
        return form.scaleFactors(role)
                .map(
                        factors ->
                                columns.stream()
                                        .map(column -> column / factors.span())
                                        .distinct()
                                        .map(i -> Numeral.of(factors.format(), scales.get(i)))
                                        .collect(Collectors.joining(", ", " x ", "")))
                .orElse("");
    }

    /// What a term is: the columns of A and rows of B that meet, C, or an earlier sum.
    private String name(Trace.Source source) {
        return switch (source) {
            case Trace.Product(int k, int count) when count == 1 -> "k " + operands.columns.get(k);
            case Trace.Product(int k, int count) ->
                    "k " + operands.columns.get(k) + ".." + operands.columns.get(k + count - 1);
            case Trace.Accumulator() -> "C";
            case Trace.Earlier(int pass) -> "sum " + (pass + 1);
            case Trace.Zero() -> "0";
        };
    }

    private List<Long> codes(String what, String text, Format format, int count) {
        String[] words = text.isBlank() ? new String[0] : text.strip().split("[\\s,]+", -1);
        if (words.length > count) {
            throw new InputException(
                    what + ": " + words.length + " values, expected at most " + count);
        }
        List<Long> codes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            codes.add(i < words.length ? Numeral.code(what, words[i], format) : 0);
            if (i < words.length && remarks.size() < REMARKS) {
                Numeral.change(words[i], format, codes.getLast())
                        .ifPresent(change -> remarks.add(what + ": " + change));
            }
        }
        return codes;
    }
}
