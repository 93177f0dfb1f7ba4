package dev.heddle.tensorcore.golden;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.tensorcore.Operands;
import dev.heddle.tensorcore.SharedMemory;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.tensorcore.TensorCore.UndefinedInputs;
import dev.heddle.tensorcore.kernel.Kernels.Speed;
import dev.heddle.tensorcore.numerics.Generation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Executes golden cases again and compares every register of D.
public final class GoldenReplay {
    private final Generation generation;
    private final Speed speed;
    private final Map<FormKey, Tally> tallies = new LinkedHashMap<>();

    private record FormKey(String opcode, ASource source) {}

    /// The first register that differs.
    ///
    /// @param caseIndex the case's number within its form
    /// @param lane      the lane
    /// @param register  the 32-bit register, counted as in the file
    /// @param expected  what the file has
    /// @param got       what was computed
    public record Difference(int caseIndex, int lane, int register, int expected, int got) {
        @Override
        public String toString() {
            return "case %d, lane %d, register %d: expected 0x%08x, got 0x%08x"
                    .formatted(caseIndex, lane, register, expected, got);
        }
    }

    /// What became of the cases of a form.
    ///
    /// @param opcode     the opcode as the file has it
    /// @param aSource    where A comes from
    /// @param cases      cases executed
    /// @param exact      cases without any difference
    /// @param difference the first difference, if any
    public record Result(
            String opcode,
            ASource aSource,
            int cases,
            int exact,
            Optional<Difference> difference) {}

    /// The core of a form, and its counts.
    private static final class Tally {
        private final TensorCore core;
        private int cases;
        private int exact;
        private Optional<Difference> difference = Optional.empty();

        private Tally(TensorCore core) {
            this.core = core;
        }

        private Result result(FormKey key) {
            return new Result(key.opcode, key.source, cases, exact, difference);
        }
    }

    /// A replay on the fast kernels.
    public GoldenReplay(Generation generation) {
        this(generation, Speed.FAST);
    }

    /// A replay by one way of computing.
    public GoldenReplay(Generation generation, Speed speed) {
        this.generation = generation;
        this.speed = speed;
    }

    /// Executes all cases of a file.
    ///
    /// @throws GoldenFormatException    if the file is malformed or cut short
    /// @throws IllegalArgumentException if a form is not legal, or not on this generation
    public void replay(Path file) throws IOException {
        replay(file, goldenCase -> true);
    }

    /// Executes some cases of a file.
    public void replay(Path file, Predicate<GoldenCase> which) throws IOException {
        try (GoldenReader reader = GoldenReader.open(file)) {
            replay(reader, which);
        }
    }

    /// Executes some of the cases that a reader has left.
    public void replay(GoldenReader reader, Predicate<GoldenCase> which) throws IOException {
        for (Optional<GoldenRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
            switch (next.get()) {
                case GoldenForm form -> tally(form);
                case GoldenCase goldenCase -> {
                    if (which.test(goldenCase)) {
                        execute(tally(reader.formOf(goldenCase)), goldenCase);
                    }
                }
            }
        }
    }

    /// The results so far, form by form in the order of the files.
    public List<Result> results() {
        List<Result> results = new ArrayList<>();
        tallies.forEach((key, tally) -> results.add(tally.result(key)));
        return results;
    }

    private Tally tally(GoldenForm golden) {
        return tallies.computeIfAbsent(
                new FormKey(golden.opcode(), golden.aSource()),
                key -> tally(Form.of(key.opcode, key.source)));
    }

    private Tally tally(Form form) {
        TensorCore core = TensorCore.of(form, generation).withSpeed(speed);
        return new Tally(
                generation == Generation.SM_90
                        ? core.withUndefinedInputs(UndefinedInputs.AS_SM_90)
                        : core);
    }

    private static void execute(Tally tally, GoldenCase golden) {
        TensorCore core = tally.core;
        Major majorA = Major.K;
        Major majorB = Major.K;
        int[] a = golden.a();
        int[] b = golden.b();
        if (golden.layoutA() >= 0) {
            SharedImage image =
                    SharedImage.of(
                            golden.matrixA(),
                            core.form().shape().m(),
                            golden.layoutA(),
                            golden.leadingOffsetA(),
                            golden.strideOffsetA());
            a = load(core, Role.A, image);
            majorA = image.major();
        }
        if (golden.layoutB() >= 0) {
            SharedImage image =
                    SharedImage.of(
                            golden.matrixB(),
                            core.form().shape().n(),
                            golden.layoutB(),
                            golden.leadingOffsetB(),
                            golden.strideOffsetB());
            b = load(core, Role.B, image);
            majorB = image.major();
        }
        int[] d = new int[golden.d().length];
        core.execute(
                Operands.of(a, b, golden.c())
                        .withMetadata(golden.e(), golden.selector())
                        .withImmediates(golden.scaleD(), golden.scaleA() < 0, golden.scaleB() < 0)
                        .withMajors(majorA, majorB),
                d);
        compare(tally, golden, d);
    }

    private static int[] load(TensorCore core, Role role, SharedImage image) {
        int[] words = new int[core.sharedWords(role)];
        core.load(role, image.descriptor(), image.major(), SharedMemory.of(image.bytes()), words);
        return words;
    }

    private static void compare(Tally tally, GoldenCase golden, int[] d) {
        tally.cases++;
        int[] expected = golden.d();
        for (int at = 0; at < expected.length; at++) {
            if (expected[at] != d[at]) {
                if (tally.difference.isEmpty()) {
                    int lane = at / (expected.length / golden.lanes());
                    int register = at % (expected.length / golden.lanes());
                    tally.difference =
                            Optional.of(
                                    new Difference(
                                            golden.index(), lane, register, expected[at], d[at]));
                }
                return;
            }
        }
        tally.exact++;
    }
}
