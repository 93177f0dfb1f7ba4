package dev.heddle.conformance.ptxas;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The `ptxas` on the path.
public final class Assembler {
    /// The release that the model was checked with.
    public static final String RELEASE = "13.0";

    private static final Pattern RELEASE_LINE = Pattern.compile("release (\\d+\\.\\d+)");

    private Assembler() {}

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

    private static Verdict run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var output = process.getInputStream()) {
            String messages = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            return new Verdict(process.waitFor() == 0, messages.strip());
        }
    }
}
