package dev.heddle.cli;

import dev.heddle.tensorcore.golden.GoldenReplay;
import dev.heddle.tensorcore.numerics.Generation;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `heddle vectors verify`: golden vectors executed again and compared.
final class VectorsCommand extends Command {
    VectorsCommand() {
        super("vectors");
    }

    @Override
    void describe(CommandSpec spec) {
        spec.usageMessage()
                .description(
                        "Execute golden vectors (format NVGOLD01, gzip or plain) again and compare"
                                + " every register of D.");
        spec.addPositional(parameter("0", "verify", "What to do with them: verify.").build());
        spec.addPositional(
                PositionalParamSpec.builder()
                        .index("1..*")
                        .paramLabel("FILE")
                        .arity("1..*")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description("Files of golden vectors.")
                        .build());
        spec.addOption(
                option("--arch", "T", "The generation that recorded them (default: sm_90).")
                        .build());
        spec.addOption(flag("--json", "One JSON object a form."));
        examples(
                spec,
                "  heddle vectors verify mma_float.bin.gz",
                "  heddle vectors verify *.bin.gz --json",
                "",
                "Exit codes: 0 all exact; 1 some differ; 2 wrong usage or input.");
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        List<String> words = words(given);
        if (!words.getFirst().equals("verify")) {
            throw new Refusal("vectors " + words.getFirst() + ": expected verify");
        }
        String arch = value(given, "--arch");
        GoldenReplay replay = new GoldenReplay(Generation.of(arch == null ? "sm_90" : arch));
        List<String> files = words.subList(1, words.size());
        for (String file : files) {
            Path path = Path.of(file);
            if (!Files.isReadable(path) || Files.isDirectory(path)) {
                throw new Refusal(file + ": no such file, or not readable");
            }
            err.println("replaying " + file + " ...");
            err.flush();
            replay.replay(path);
        }
        return report(replay.results(), has(given, "--json"), out);
    }

    private static int report(List<GoldenReplay.Result> results, boolean json, PrintWriter out) {
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
