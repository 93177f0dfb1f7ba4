package dev.heddle.conformance.ptxas;

import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Modules as files in a folder, judged by one call of `heddle check FOLDER --json` in a process
/// of its own.
///
/// @param verdicts of each module, in their order: `accept`, `reject` or `undefined`
record CheckedFolder(List<String> verdicts) {

    /// @param folder empty; the files stay in it
    static CheckedFolder of(List<String> modules, Path folder)
            throws IOException, InterruptedException {
        for (int i = 0; i < modules.size(); i++) {
            Files.writeString(folder.resolve(i + ".ptx"), modules.get(i));
        }
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.heddle.cli.Main",
                                "check",
                                folder.toString(),
                                "--json")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        Map<Path, String> verdicts = new HashMap<>();
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = lines.readLine()) != null; ) {
                Map<String, Object> report = JSON.std.mapFrom(line);
                verdicts.put(Path.of((String) report.get("file")), (String) report.get("verdict"));
            }
        }
        int code = process.waitFor();
        if (code > 1 || verdicts.size() != modules.size()) {
            throw new IOException(
                    "heddle check ended with %d after %d of %d files"
                            .formatted(code, verdicts.size(), modules.size()));
        }
        List<String> inOrder =
                IntStream.range(0, modules.size())
                        .mapToObj(i -> verdicts.get(folder.resolve(i + ".ptx")))
                        .toList();
        return new CheckedFolder(inOrder);
    }
}
