package dev.heddle.conformance.functions;

import dev.heddle.tensorcore.functions.ApproximateFunction;
import dev.heddle.tensorcore.functions.ErrorBound;
import dev.heddle.tensorcore.functions.ErrorProfile;
import dev.heddle.tensorcore.functions.LargestError;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// The largest errors of the approximate functions over all their inputs, against the exact
/// functions.
///
/// `LargestErrors [--only REGEX] [--blocks N] [--write FOLDER]`: `--blocks` takes every Nth sign
/// and exponent only, `--write` makes `errors.tsv` and `profiles.tsv` of what was found. Of a
/// division, which has 2^64 inputs, see [DivisionSurvey].
public final class LargestErrors {
    private final PrintStream out;
    private final int every;
    private final List<LargestError> errors = new ArrayList<>();
    private final List<ErrorProfile> profiles = new ArrayList<>();

    private LargestErrors(PrintStream out, int every) {
        this.out = out;
        this.every = every;
    }

    @SuppressWarnings("SystemOut") // the report of a command
    public static void main(String[] arguments) throws IOException {
        List<String> given = List.of(arguments);
        Pattern only = Pattern.compile(AllInputs.option(given, "--only", ""));
        LargestErrors campaign =
                new LargestErrors(
                        System.out, Integer.parseInt(AllInputs.option(given, "--blocks", "1")));
        for (ApproximateFunction function : ApproximateFunction.values()) {
            if (function.scalar() == function && only.matcher(function.opcode()).find()) {
                campaign.survey(function);
            }
        }
        String folder = AllInputs.option(given, "--write", "");
        if (!folder.isEmpty()) {
            campaign.write(Path.of(folder));
        }
    }

    private void survey(ApproximateFunction function) {
        long start = System.nanoTime();
        int before = errors.size();
        if (function.real().isPresent()) {
            surveyOne(function);
        } else {
            DivisionSurvey division = new DivisionSurvey(function, every);
            errors.add(division.largest());
            profiles.add(division.profile());
        }
        for (LargestError error : errors.subList(before, errors.size())) {
            out.println(ErrorTables.line(error));
        }
        out.printf("  %.1f s%n", (System.nanoTime() - start) / 1e9);
    }

    private void surveyOne(ApproximateFunction function) {
        ErrorSurvey survey = new ErrorSurvey(function);
        int[] taken =
                IntStream.range(0, survey.blocks())
                        .filter(block -> block % every == 0 && survey.taken(block))
                        .toArray();
        List<ErrorSurvey.Found> blocks =
                IntStream.of(taken).parallel().mapToObj(survey::block).toList();
        List<ErrorBound> questions = survey.questions();
        ErrorSurvey.Found all = new ErrorSurvey.Found(questions.size(), survey.parts());
        blocks.forEach(all::add);
        String examined = examined(function, survey.perBlock() * blocks.size());
        for (int q = 0; q < questions.size(); q++) {
            errors.add(exact(function, questions.get(q), all, q, examined));
        }
        profiles.add(
                new ErrorProfile(
                        function,
                        questions.getFirst().measure(),
                        questions.getFirst().inputs(),
                        exponents(survey.blocks(), taken, blocks),
                        Arrays.stream(all.low).boxed().toList(),
                        Arrays.stream(all.high).boxed().toList()));
    }

    /// A block that was not taken has the error of the one before it.
    private static List<Double> exponents(int blocks, int[] taken, List<ErrorSurvey.Found> found) {
        List<Double> exponents = new ArrayList<>();
        for (int i = 0; i < taken.length; i++) {
            int end = i + 1 < taken.length ? taken[i + 1] : blocks;
            exponents.addAll(Collections.nCopies(end - taken[i], found.get(i).profile));
        }
        return exponents;
    }

    /// A seed of `.f64` is the same for all low words, and the exact function between those of the
    /// least and the greatest: what holds for these holds for all.
    private static String examined(ApproximateFunction function, long inputs) {
        return switch (function) {
            case RCP_FTZ_F64, RSQRT_FTZ_F64 ->
                    "%,d high words with the ends of their low words".formatted(inputs / 3);
            default -> "%,d inputs".formatted(inputs);
        };
    }

    /// The error with its exact size. That the survey's agrees is asserted: else its margin would
    /// be wrong.
    private static LargestError exact(
            ApproximateFunction function,
            ErrorBound question,
            ErrorSurvey.Found found,
            int q,
            String examined) {
        List<Long> operands = List.of(found.operand[q]);
        double error =
                found.largest[q] <= 0 || !Double.isFinite(found.largest[q])
                        ? found.largest[q]
                        : ErrorTables.error(
                                function, question.measure(), operands, found.result[q]);
        if (Math.abs(error - found.largest[q]) > 0x1p-23 * Math.max(1, error)) {
            throw new AssertionError(
                    "%s at %x: %s, exactly %s"
                            .formatted(function, found.operand[q], found.largest[q], error));
        }
        return new LargestError(
                function,
                question.measure(),
                question.inputs(),
                error,
                operands,
                found.result[q],
                examined);
    }

    private void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.write(folder.resolve("errors.tsv"), errors.stream().map(ErrorTables::line).toList());
        Files.write(
                folder.resolve("profiles.tsv"), profiles.stream().map(ErrorTables::line).toList());
    }
}
