package dev.heddle.conformance.scalars;

import dev.heddle.cuda.Gpu;
import dev.heddle.cuda.Optimization;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Machine;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Records what a GPU computes for the scalar forms, and compares the virtual machine with it.
///
/// `Scalars record FILE [--date D]` writes the goldens; `Scalars verify FILE [interpreter]` replays
/// them on an executor; `Scalars compare [--cases N] [--seed S]` runs fresh operands on compiler
/// and GPU, case by case. `--only REGEX` takes the forms whose text it is found in, `--plain`
/// assembles without the driver's optimiser. The exit code is 1 where anything differs.
public final class Scalars {
    /// Operands of each golden.
    public static final int CASES = 4096;

    /// The seed of the goldens.
    public static final long SEED = 20_261_122;

    private static final int SHOWN = 4;

    private final PrintStream out;
    private final Pattern only;
    private final Optimization optimization;

    private Scalars(PrintStream out, Pattern only, Optimization optimization) {
        this.out = out;
        this.only = only;
        this.optimization = optimization;
    }

    @SuppressWarnings("SystemOut") // the report of a command
    public static void main(String[] arguments) throws IOException {
        List<String> given = List.of(arguments);
        Scalars scalars =
                new Scalars(
                        System.out,
                        Pattern.compile(option(given, "--only", "")),
                        given.contains("--plain") ? Optimization.NONE : Optimization.FULL);
        boolean equal =
                switch (given.getFirst()) {
                    case "record" ->
                            scalars.record(Path.of(given.get(1)), option(given, "--date", ""));
                    case "verify" ->
                            scalars.verify(Path.of(given.get(1)), given.contains("interpreter"));
                    case "compare" ->
                            scalars.compare(
                                    Integer.parseInt(option(given, "--cases", "65536")),
                                    Long.parseLong(option(given, "--seed", "1")));
                    default -> throw new IllegalArgumentException("record, verify or compare");
                };
        System.exit(equal ? 0 : 1);
    }

    private static String option(List<String> given, String name, String otherwise) {
        int at = given.indexOf(name);
        return at < 0 ? otherwise : given.get(at + 1);
    }

    private List<ScalarForm> forms() {
        return ScalarForm.all().stream().filter(form -> only.matcher(form.text()).find()).toList();
    }

    private boolean record(Path file, String date) throws IOException {
        List<ScalarGoldens.Golden> records = new ArrayList<>();
        try (Gpu gpu = Gpu.open()) {
            ScalarMachine machine = ScalarMachine.of(gpu.context(), optimization);
            for (ScalarForm form : forms()) {
                try {
                    long[] operands = ScalarOperands.of(form, SEED, CASES);
                    long[] results = machine.run(form, operands, CASES);
                    records.add(ScalarGoldens.Golden.of(form, results, CASES));
                } catch (ScalarMachine.Missing e) {
                    out.println("not on this GPU: " + form + " " + e.getMessage());
                }
            }
            String source =
                    gpu.description()
                            + ", driver "
                            + gpu.context().device().driver().release().orElse("unknown")
                            + (date.isEmpty() ? "" : ", " + date);
            try (OutputStream to = Files.newOutputStream(file)) {
                new ScalarGoldens(source, SEED, CASES, records).write(to);
            }
            out.printf("%d forms recorded on %s%n", records.size(), source);
        }
        return true;
    }

    private boolean verify(Path file, boolean interpreter) throws IOException {
        ScalarGoldens goldens = ScalarGoldens.read(Files.newInputStream(file));
        ScalarMachine machine =
                ScalarMachine.of(
                        interpreter
                                ? Machine.interpreter(Generation.SM_90)
                                : Machine.compiler(Generation.SM_90));
        List<String> differences = differences(goldens, machine, only.asPredicate());
        differences.forEach(out::println);
        out.printf(
                "%d forms of %s; %d differ%n",
                goldens.records().size(), goldens.source(), differences.size());
        return differences.isEmpty();
    }

    /// What a machine computes otherwise than it was recorded, form by form.
    static List<String> differences(
            ScalarGoldens goldens, ScalarMachine machine, Predicate<String> only) {
        return goldens.records().parallelStream()
                .filter(golden -> only.test(golden.text()))
                .map(golden -> difference(goldens, golden, machine))
                .filter(words -> !words.isEmpty())
                .toList();
    }

    /// What a machine computes otherwise of one form, in words; empty where nothing.
    static String difference(
            ScalarGoldens goldens, ScalarGoldens.Golden golden, ScalarMachine machine) {
        ScalarForm form = ScalarForm.of(golden.text());
        long[] operands = ScalarOperands.of(form, goldens.seed(), goldens.cases());
        try {
            return golden.difference(
                    form, operands, machine.run(form, operands, goldens.cases()), goldens.cases());
        } catch (ScalarMachine.Missing e) {
            return form + " " + e.getMessage();
        }
    }

    private boolean compare(int cases, long seed) {
        int different = 0;
        int compared = 0;
        ScalarMachine compiler = ScalarMachine.of(Machine.compiler(Generation.SM_90));
        try (Gpu gpu = Gpu.open()) {
            ScalarMachine device = ScalarMachine.of(gpu.context(), optimization);
            for (ScalarForm form : forms()) {
                long[] operands = ScalarOperands.of(form, seed, cases);
                try {
                    long[] expected = device.run(form, operands, cases);
                    long[] found = compiler.run(form, operands, cases);
                    compared++;
                    different += report(form, operands, expected, found, cases);
                } catch (ScalarMachine.Missing e) {
                    out.println("missing: " + form + " " + e.getMessage());
                }
            }
            out.printf(
                    "%d forms, %,d operands each, compiler and %s: %d forms differ%n",
                    compared, cases, gpu.description(), different);
        }
        return different == 0;
    }

    /// Prints the first differences of a form; returns 1 if there are any.
    private int report(ScalarForm form, long[] operands, long[] expected, long[] found, int cases) {
        int wrong = 0;
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != found[i] && wrong++ < SHOWN) {
                out.printf(
                        "%s %s: compiler %x, GPU %x%n",
                        form,
                        ScalarGoldens.words(form, operands, i % cases, cases),
                        found[i],
                        expected[i]);
            }
        }
        if (wrong > 0) {
            out.printf("%s: %,d of %,d differ%n", form, wrong, expected.length);
        }
        return wrong > 0 ? 1 : 0;
    }
}
