package dev.heddle.cli;

import dev.heddle.tensorcore.golden.GoldenReplay;
import dev.heddle.tensorcore.numerics.Generation;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `heddle vectors`: golden vectors executed again and compared, or recorded on a GPU.
final class VectorsCommand extends Command {
    @Override
    String help() {
        return """
        verify: execute golden vectors (format NVGOLD01, gzip or plain) again and compare
            every register of D.
        record: make new ones on the GPU of this machine, one file a family, in a folder.

        verify|record  What to do.
        FILE|FOLDER ...  Files to verify, or the folder to record into.
        --arch T  verify: the generation that recorded them (default: sm_90).
        --family F  record: only this family of instructions.
        --only REGEX  record: only opcodes that contain a match.
        --seed S  record: the seed (default: 1).
        --cases N  record: cases of a form (default: 208).
        --json  verify: one JSON object a form.

        Examples:
          heddle vectors verify mma_float.bin.gz
          heddle vectors verify *.bin.gz --json
          heddle vectors record vectors --only mma.sp.*bf16 --seed 7

        Exit codes: 0 all exact; 1 some differ; 2 wrong usage or input.
        """;
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return Map.of("--family", Completions.families());
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        List<String> words = words(given);
        List<String> rest = words.subList(1, words.size());
        return switch (words.getFirst()) {
            case "verify" -> verify(given, rest, out, err);
            case "record" -> VectorRecording.of(given, rest).run(out, err);
            default ->
                    throw new UsageError(
                            "vectors " + words.getFirst() + ": expected verify or record");
        };
    }

    private static int verify(
            ParseResult given, List<String> files, PrintWriter out, PrintWriter err)
            throws IOException {
        String arch = value(given, "--arch");
        GoldenReplay replay = new GoldenReplay(Generation.of(arch == null ? "sm_90" : arch));
        for (String file : files) {
            Path path = Path.of(input(given).file(file));
            if (!Files.isReadable(path) || Files.isDirectory(path)) {
                throw new UsageError(InputFault.of(path));
            }
            err.println("replaying " + file + " ...");
            err.flush();
            replay.replay(path);
        }
        return report(replay.results(), has(given, "--json"), out);
    }

    private static int report(List<GoldenReplay.Result> results, boolean json, PrintWriter out) {
        if (results.isEmpty()) {
            throw new UsageError("vectors verify: the files hold no case");
        }
        int cases = 0;
        int exact = 0;
        for (GoldenReplay.Result result : results) {
            cases += result.cases();
            exact += result.exact();
            out.println(json ? Json.line(object(result)) : line(result));
        }
        if (!json) {
            out.println("%d forms, %d cases, %d exact".formatted(results.size(), cases, exact));
        }
        return cases == exact ? 0 : 1;
    }

    private static String line(GoldenReplay.Result result) {
        String line =
                "%s\t%s\t%d cases\t%d exact"
                        .formatted(
                                result.opcode(),
                                result.aSource().word(),
                                result.cases(),
                                result.exact());
        return result.difference().map(d -> line + "\n    first difference: " + d).orElse(line);
    }

    private static Map<String, Object> object(GoldenReplay.Result result) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("opcode", result.opcode());
        object.put("a_source", result.aSource().word());
        object.put("cases", result.cases());
        object.put("exact", result.exact());
        result.difference()
                .ifPresent(
                        d -> {
                            object.put("case", d.caseIndex());
                            object.put("lane", d.lane());
                            object.put("register", d.register());
                            object.put("expected", "0x%08x".formatted(d.expected()));
                            object.put("got", "0x%08x".formatted(d.got()));
                        });
        return object;
    }
}
