package dev.heddle.cli;

import dev.heddle.cuda.DriverException;
import dev.heddle.cuda.DriverUnavailableException;
import dev.heddle.cuda.Gpu;
import dev.heddle.cuda.golden.GoldenRecorder;
import dev.heddle.cuda.golden.Recording;
import dev.heddle.files.FileReplacement;
import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.tensorcore.golden.GoldenCase;
import dev.heddle.tensorcore.golden.GoldenForm;
import dev.heddle.tensorcore.golden.GoldenWriter;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// `heddle vectors record`: golden vectors of the forms that this machine's GPU executes.
///
/// @param folder where the files go, one a family
/// @param family the only family to record, or null for all
/// @param only   what an opcode must contain a match of to be recorded
/// @param cases  cases of a form
/// @param seed   where all values come from
record VectorRecording(Path folder, @Nullable Family family, Pattern only, int cases, long seed) {
    private static final int CASES = 208;

    static VectorRecording of(ParseResult given, List<String> folders) {
        if (folders.size() != 1) {
            throw new UsageError("vectors record: expected one folder");
        }
        String family = Command.value(given, "--family");
        String cases = Command.value(given, "--cases");
        String seed = Command.value(given, "--seed");
        return new VectorRecording(
                Path.of(folders.getFirst()),
                family == null ? null : Family.parse(family),
                pattern(Command.value(given, "--only")),
                cases == null ? CASES : Numbers.parse("--cases", cases, 1, 1)[0],
                seed == null ? 1 : Numbers.parse("--seed", seed, 1, 1)[0]);
    }

    private static Pattern pattern(@Nullable String only) {
        try {
            return Pattern.compile(only == null ? "" : only);
        } catch (PatternSyntaxException e) {
            throw new UsageError("--only " + only + ": " + e.getDescription());
        }
    }

    int run(PrintWriter out, PrintWriter err) throws IOException {
        try (Gpu gpu = Gpu.open()) {
            Files.createDirectories(folder);
            GoldenRecorder recorder =
                    new GoldenRecorder(gpu.context(), LocalDate.now(ZoneOffset.UTC));
            for (Family each : family == null ? List.of(Family.values()) : List.of(family)) {
                Recording recording = Recording.of(form -> wanted(each, form), cases, seed);
                if (recording.forms().isEmpty()) {
                    continue;
                }
                Path file = folder.resolve(each.mnemonic().replace("::", "_") + ".bin.gz");
                record(recorder, recording, file, err);
                out.println(
                        "%s: %d forms, %d cases each"
                                .formatted(file, recording.forms().size(), cases));
            }
            return 0;
        } catch (DriverUnavailableException | DriverException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
    }

    private boolean wanted(Family each, Form form) {
        return form.family() == each && only.matcher(form.opcode()).find();
    }

    private static void record(
            GoldenRecorder recorder, Recording recording, Path file, PrintWriter err)
            throws IOException {
        FileReplacement.write(
                file,
                stream -> {
                    try (GoldenWriter writer = new GoldenWriter(stream)) {
                        recorder.record(
                                recording, (form, recorded) -> write(writer, form, recorded, err));
                    }
                });
    }

    private static void write(
            GoldenWriter writer, GoldenForm form, List<GoldenCase> recorded, PrintWriter err) {
        try {
            writer.write(form);
            for (GoldenCase one : recorded) {
                writer.write(one);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (form.id() % 50 == 0) {
            err.println("form " + form.id() + ": " + form.opcode());
            err.flush();
        }
    }
}
