package dev.heddle.explorer;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Value;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.Shape;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Values for the operands of a form, for people to begin with: seeded, the same each time.
///
/// Eight rows of A and of C differ, and repeat below; all columns of B and C are alike: eight
/// elements of D stand for all. Values are short, and far enough apart in size that sums lose bits.
///
/// @param form the form
record ExampleOperands(Form form) {
    private static final long SEED = 20_261_121;

    /// How many different rows of A and C there are.
    static final int DIFFERENT = 8;

    /// The size of the scale factors around one, in powers of two.
    private static final int SCALES = 2;

    static ExampleOperands of(Form form) {
        return new ExampleOperands(form);
    }

    /// The question whose answer is how an element of D is made of the example.
    Map<String, String> question(int row) {
        Map<String, String> question = new LinkedHashMap<>();
        question.put("a", String.join(" ", rowOfA(row)));
        question.put("b", String.join(" ", columnOfB()));
        question.put("c", elementOfC(row));
        question.put("e", nibbles(row));
        question.put("sfa", String.join(" ", scales(Role.A, row)));
        question.put("sfb", String.join(" ", scales(Role.B, 0)));
        return question;
    }

    /// A row of A, in dense columns.
    List<String> rowOfA(int row) {
        return line(form.type(Role.A), form.shape().k(), "A" + row % DIFFERENT);
    }

    /// The metadata of a row of A, a hexadecimal digit a chunk: one pattern after the other; empty
    /// of a dense form.
    String nibbles(int row) {
        StringBuilder digits = new StringBuilder();
        form.metadata()
                .ifPresent(
                        metadata -> {
                            List<Integer> patterns = metadata.granularity().nibbles(true);
                            for (int chunk = 0; chunk < metadata.chunks(); chunk++) {
                                int line = row % DIFFERENT;
                                int next = chunk + line * (patterns.size() / 2) + line / 2;
                                int nibble = patterns.get(next % patterns.size());
                                digits.append(Integer.toHexString(nibble));
                            }
                        });
        return digits.toString();
    }

    /// Every column of B.
    List<String> columnOfB() {
        return line(form.type(Role.B), form.shape().k(), "B");
    }

    /// Every element of a row of C.
    String elementOfC(int row) {
        Format format = form.type(Role.C);
        double[] values =
                format instanceof IntegerFormat
                        ? new double[] {1000, -7, 0, 99, -1000, 12_345, -1, 512}
                        : form.type(Role.A).bits() <= Byte.SIZE || format.bits() <= Short.SIZE
                                ? new double[] {1000, -3.25, 0.5, 40, -1000, 12, -0.125, 0}
                                : new double[] {
                                    6_000_001, -3.25, 0.5, 1000, -6_000_001, 12, -0.125, 0
                                };
        return exact(format, values[row % DIFFERENT]);
    }

    /// The scale factors of a row of A or a column of B; empty if the form has none.
    List<String> scales(Role role, int line) {
        Optional<ScaleFactors> factors = form.scaleFactors(role);
        List<String> scales = new ArrayList<>();
        Random random = random("scale" + role + line % DIFFERENT);
        for (int i = 0; factors.isPresent() && i < factors.get().vectors(); i++) {
            scales.add(
                    exact(
                            factors.get().format(),
                            Math.scalb(1.0, random.nextInt(2 * SCALES + 1) - SCALES)));
        }
        return scales;
    }

    /// What the page takes: for each matrix its extent and the rows that repeat.
    Map<String, Object> document() {
        Shape shape = form.shape();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("A", matrix(shape.m(), shape.k(), rows(this::rowOfA)));
        document.put("B", matrix(shape.k(), shape.n(), upright(columnOfB())));
        document.put("C", matrix(shape.m(), shape.n(), rows(row -> List.of(elementOfC(row)))));
        if (form.blockScaled()) {
            int a = form.scaleFactors(Role.A).orElseThrow().vectors();
            int b = form.scaleFactors(Role.B).orElseThrow().vectors();
            document.put("SFA", matrix(shape.m(), a, rows(row -> scales(Role.A, row))));
            document.put("SFB", matrix(b, shape.n(), upright(scales(Role.B, 0))));
        }
        return document;
    }

    /// One of each of the rows that differ.
    static <T> List<T> rows(IntFunction<T> row) {
        return IntStream.range(0, DIFFERENT).mapToObj(row).toList();
    }

    private static Map<String, Object> matrix(int rows, int columns, List<List<String>> lines) {
        return Map.of("extent", List.of(rows, columns), "rows", lines);
    }

    private static List<List<String>> upright(List<String> column) {
        return column.stream().map(List::of).toList();
    }

    private List<String> line(Format format, int count, String name) {
        Random random = random(name + format.ptxName());
        List<String> values = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            values.add(
                    switch (format) {
                        case IntegerFormat integer ->
                                Numeral.of(integer, random.nextLong() & (1L << format.bits()) - 1);
                        case FloatFormat floating -> floating(floating, random);
                    });
        }
        return values;
    }

    private static Random random(String name) {
        return new Random(SEED ^ name.hashCode());
    }

    private static String floating(FloatFormat format, Random random) {
        int least = Math.max(format.exponent(format.minNormal()) + format.fractionBits(), -3);
        int most = Math.min(format.exponent(format.maxFinite()) + format.fractionBits(), 4);
        int exponent = least + random.nextInt(most - least + 1);
        double fraction = 1 + random.nextInt(2) / 2.0;
        return exact(format, (random.nextBoolean() ? -1 : 1) * Math.scalb(fraction, exponent));
    }

    /// The value of the format nearest to a number.
    private static String exact(Format format, double value) {
        return Numeral.of(
                format, format.encode(Value.of(value), Rounding.NEAREST_EVEN, Overflow.IEEE));
    }
}
