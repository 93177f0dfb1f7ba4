package dev.heddle.conformance.ptxas;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The `ptxas` on the path.
public final class Ptxas {
    /// The release that the model was checked with.
    public static final String RELEASE = "13.0";

    private static final Pattern RELEASE_LINE = Pattern.compile("release (\\d+\\.\\d+)");

    private static final Pattern PLACE =
            Pattern.compile("\\.ptx, line (\\d+); (?:error|fatal) *: (.*)");

    private Ptxas() {}

    /// What it says of a module.
    ///
    /// @param accepted whether it exits with 0
    /// @param messages what it prints
    public record Verdict(boolean accepted, String messages) {}

    /// The release on the path, such as `13.0`; empty if there is none.
    public static Optional<String> release() throws InterruptedException {
        try {
            Matcher matcher = RELEASE_LINE.matcher(run("ptxas", "--version").messages);
            return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Assembles a module.
    ///
    /// @param file where to put its text meanwhile
    static Verdict assemble(Candidate candidate, Path file)
            throws IOException, InterruptedException {
        Files.writeString(file, candidate.module());
        return run("ptxas", "-arch=" + candidate.target(), "-o", "/dev/null", file.toString());
    }

    /// Assembles a text, without linking.
    ///
    /// @param architecture what to assemble it for
    public static Verdict assemble(String text, String architecture)
            throws IOException, InterruptedException {
        return assembleWith(text, "-c", "-O0", "-arch=" + architecture);
    }

    /// Assembles and links a text, optimised as by default.
    ///
    /// @param architecture what to assemble it for
    public static Verdict optimize(String text, String architecture)
            throws IOException, InterruptedException {
        return assembleWith(text, "-arch=" + architecture);
    }

    private static Verdict assembleWith(String text, String... options)
            throws IOException, InterruptedException {
        Path file = Files.createTempFile("module", ".ptx");
        try {
            Files.writeString(file, text);
            List<String> command = new ArrayList<>(List.of("ptxas"));
            command.addAll(List.of(options));
            command.addAll(List.of("-o", "/dev/null", file.toString()));
            return run(command.toArray(String[]::new));
        } finally {
            Files.delete(file);
        }
    }

    /// What it says of each of some lines of one module, an empty text where it takes the line.
    ///
    /// An error may hide others behind it: lines with errors are blanked and the module judged
    /// again, until nothing more is found.
    ///
    /// @param first the first of the lines, from 1
    public static List<String> lines(String module, String architecture, int first, int count)
            throws IOException, InterruptedException {
        List<String> messages = new ArrayList<>(Collections.nCopies(count, ""));
        String[] lines = module.split("\n", -1);
        while (true) {
            Verdict ran = assemble(String.join("\n", lines), architecture);
            boolean found = false;
            for (String line : ran.messages().lines().toList()) {
                Matcher matcher = PLACE.matcher(line);
                if (matcher.find()) {
                    int at = Integer.parseInt(matcher.group(1)) - first;
                    if (at < 0 || at >= count) {
                        throw new IOException("an error outside of the lines asked: " + line);
                    }
                    if (messages.get(at).isEmpty()) {
                        messages.set(at, matcher.group(2));
                    }
                    lines[first - 1 + at] = "";
                    found = true;
                }
            }
            if (!found) {
                return messages; // all taken; what fails then is the generation of code
            }
        }
    }

    private static Verdict run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var output = process.getInputStream()) {
            String messages = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            return new Verdict(process.waitFor() == 0, messages.strip());
        }
    }
}
