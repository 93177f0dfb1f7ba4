package dev.heddle.ptx.check;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// The assembler of the CUDA toolkit, where the machine has it.
final class Assembler {

    /// Before PTX 3.0 there was no linking.
    private static final Pattern OLD = Pattern.compile("^\\.version [12]\\.", Pattern.MULTILINE);

    private Assembler() {}

    /// What it says about one text.
    ///
    /// @param accepted whether it assembled
    /// @param message its first error, or an empty text
    record Answer(boolean accepted, String message) {}

    static boolean isPresent() {
        try {
            Process process =
                    new ProcessBuilder("ptxas", "--version").redirectErrorStream(true).start();
            process.getInputStream().readAllBytes();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    static Answer assemble(String text, String architecture)
            throws IOException, InterruptedException {
        Ran ran = run(text, architecture);
        return new Answer(ran.code() == 0, first(ran.output()));
    }

    private record Ran(int code, String output) {}

    private static Ran run(String text, String architecture)
            throws IOException, InterruptedException {
        Path file = Files.createTempFile("mutant", ".ptx");
        try {
            Files.writeString(file, text, StandardCharsets.ISO_8859_1);
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    "ptxas",
                                    "-O0",
                                    "-arch=" + architecture.replace("compute", "sm"),
                                    "-o",
                                    "/dev/null",
                                    file.toString()));
            if (!OLD.matcher(text).find()) {
                command.add("-c");
            }
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output =
                    new String(
                            process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            process.waitFor(60, TimeUnit.SECONDS);
            return new Ran(process.exitValue(), output);
        } finally {
            Files.delete(file);
        }
    }

    private static String first(String output) {
        for (String line : output.lines().toList()) {
            if (line.contains("error") || line.contains("fatal")) {
                int colon = line.indexOf(" : ");
                return colon < 0 ? line : line.substring(colon + 3);
            }
        }
        return "";
    }
}
