package dev.heddle.cli;

import dev.heddle.formats.InputException;
import dev.heddle.programs.ProgramCall;
import dev.heddle.programs.device.Capability;
import dev.heddle.programs.host.NativeLibrary;
import dev.heddle.programs.host.Settings;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// `heddle cuda`: a CUDA program, unmodified, with its kernels on the machine.
final class CudaCommand extends Command {
    private static final String TIMEOUT = "--timeout";
    private static final String MULTIPROCESSORS = "--multiprocessors";

    /// Options with a value that go to the program's process as they are.
    private static final List<String> PASSED_ON =
            List.of("--device", MULTIPROCESSORS, "--check", TIMEOUT);
    private static final String REPORT = "--report";
    private static final String LEAKS = "--leaks";
    private static final String SAVED = "--save-launches";
    private static final String JSON = "--json";

    /// Options that name a file or folder. The program may change its folder, so they become
    /// absolute.
    private static final List<String> PATHS =
            List.of(REPORT, RunReports.SARIF, RunReports.JUNIT, SAVED);

    @Override
    String help() {
        return """
        Run an executable built by nvcc, with its kernels on the CPU: no GPU, no driver,
            nothing to change.
        The program must hold PTX: nvcc's default, or -gencode
            arch=compute_80,code=compute_80. What a kernel does wrong is told on standard
            error.

        PROGRAM [ARG...] ...  What to run.
        --device T  The device (default: sm_90).
        --multiprocessors N  How many multiprocessors it has (default: 8 from sm_90 on, else
            4).
        """
                + LaunchOptions.FINDINGS
                + """
                --timeout SECONDS  The most one launch may take (default: 600).
                --json  JSON on standard error in place of text: a line for each finding, and a last
                    one with all that ran, was found and never freed.
                --report FILE  Write the last line of --json to a file.
                --sarif FILE  Write the findings as SARIF 2.1.0.
                --junit-xml FILE  Write the program and its kernels as tests of JUnit XML.
                --save-launches DIR  Write each launch with its buffers as a launch file that
                    `heddle run` repeats.
                --leaks  Tell what the program never freed; exit 1 if anything.

                Examples:
                  heddle cuda ./vectorAdd
                  heddle cuda --device sm_80 ./a.out --size 1024
                  heddle cuda --sarif 'found-%p.sarif' ctest

                %p in a file's name becomes the number of the process.

                Exit codes: those of the program; 1 where it gave 0 and something was found; 2 \
                wrong usage or input.
                """;
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return Map.of("--device", Completions.targets());
    }

    @Override
    void adjust(CommandSpec spec) {
        spec.parser().stopAtPositional(true).unmatchedOptionsArePositionalParams(false);
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        Path jdk = Path.of(System.getProperty("java.home"));
        ProgramCall call;
        try {
            Capability device =
                    Capability.of(Objects.requireNonNullElse(value(given, "--device"), "sm_90"));
            String multiprocessors = value(given, MULTIPROCESSORS);
            if (multiprocessors != null) {
                Capability _ =
                        device.withMultiprocessors(
                                Numbers.parse(MULTIPROCESSORS, multiprocessors, 1, 1)[0]);
            }
            String timeout = value(given, TIMEOUT);
            if (timeout != null && Numbers.parse(TIMEOUT, timeout, 1, 1)[0] < 1) {
                throw new UsageError("--timeout " + timeout + ": expected seconds above 0");
            }
            requireFolders(given);
            LaunchOptions.checks(Objects.requireNonNullElse(value(given, "--check"), "all"));
            Settings.suppressions(suppressed(given));
            NativeLibrary library = NativeLibrary.in(state(), jdk);
            call = new ProgramCall(words(given), library, jdk, flags(given));
            out.flush();
            throw call.become();
        } catch (IOException | InputException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
    }

    private static void requireFolders(ParseResult given) {
        for (String option : List.of(REPORT, RunReports.SARIF, RunReports.JUNIT)) {
            String value = value(given, option);
            Path folder = value == null ? null : Path.of(value).toAbsolutePath().getParent();
            if (folder != null && !Files.isDirectory(folder)) {
                throw new UsageError(option + " " + value + ": there is no such folder");
            }
        }
    }

    /// Where the native library is kept: where the launcher keeps what it built.
    private static Path state() {
        String state = System.getProperty("heddle.state");
        return state != null
                ? Path.of(state)
                : Path.of(System.getProperty("user.home"), ".cache", "heddle");
    }

    private static @Nullable Path suppressed(ParseResult given) {
        String file = value(given, LaunchOptions.SUPPRESS);
        return file == null ? null : Path.of(file);
    }

    private static List<String> flags(ParseResult given) {
        List<String> flags = new ArrayList<>();
        flags.add("-Djava.class.path=" + System.getProperty("java.class.path"));
        String computing = System.getProperty("heddle.computing");
        if (computing == null) {
            flags.add("--add-modules=jdk.incubator.vector");
            flags.add("--enable-native-access=ALL-UNNAMED");
            flags.add("-XX:+UseParallelGC");
            flags.add("-XX:-UsePerfData");
        } else {
            flags.addAll(computing.lines().toList());
        }
        for (String option : PASSED_ON) {
            String value = value(given, option);
            if (value != null) {
                flags.add("-Dheddle.cuda." + option.substring(2) + "=" + value);
            }
        }
        if (has(given, LaunchOptions.REPORT_ALL)) {
            flags.add("-Dheddle.cuda.report-all=true");
        }
        Path known = suppressed(given);
        if (known != null) {
            flags.add("-Dheddle.cuda.suppress=" + known.toAbsolutePath());
        }
        for (String option : PATHS) {
            String value = value(given, option);
            if (value != null) {
                Path file = Path.of(value).toAbsolutePath();
                flags.add("-Dheddle.cuda." + option.substring(2) + "=" + file);
            }
        }
        if (has(given, JSON)) {
            flags.add("-Dheddle.cuda.json=true");
        }
        if (has(given, LEAKS)) {
            flags.add("-Dheddle.cuda.leaks=true");
        }
        return flags;
    }
}
