package dev.heddle.cli;

import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Target;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `heddle forms`: every legal form, one a line.
final class FormsCommand extends Command {
    FormsCommand() {
        super("forms");
    }

    @Override
    void describe(CommandSpec spec) {
        spec.usageMessage().description("List every legal form, one a line.");
        spec.addOption(
                option("--family", "F", "One of ${COMPLETION-CANDIDATES}.")
                        .completionCandidates(Completions.families())
                        .build());
        spec.addOption(
                option("--target", "T", "Only forms that this target has, as sm_90a.")
                        .completionCandidates(Completions.targets())
                        .build());
        spec.addOption(
                option("--ptx", "V", "Only forms that this PTX ISA version has, as 8.7.").build());
        spec.addOption(flag("--json", "One JSON object a line."));
        examples(
                spec,
                "  heddle forms                                  all of them",
                "  heddle forms --family mma.sp --target sm_90   what sm_90 has of mma.sp",
                "  heddle forms --family wgmma.mma_async --json  one JSON object a line");
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) {
        String family = value(given, "--family");
        String target = value(given, "--target");
        String version = value(given, "--ptx");
        boolean json = has(given, "--json");
        List<Family> families =
                family == null ? List.of(Family.values()) : List.of(Family.parse(family));
        Target on = target == null ? null : Target.parse(target);
        PtxVersion at = version == null ? PtxVersion.NEWEST : PtxVersion.parse(version);
        if (on != null && !at.atLeast(on.since())) {
            throw new UsageError(
                    "PTX ISA " + at + " has no target " + on + ": it came with " + on.since());
        }
        for (Family each : families) {
            for (Form form : Forms.of(each)) {
                if ((on == null || form.requirement().targets().include(on))
                        && at.atLeast(form.requirement().version())) {
                    out.println(json ? Json.line(object(form)) : form.toString());
                }
            }
        }
        return 0;
    }

    private static Map<String, Object> object(Form form) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("opcode", form.opcode());
        object.put("family", form.family().mnemonic());
        object.put("shape", form.shape().toString());
        object.put("a_source", form.aSource().word());
        object.put("ptx", form.requirement().version().toString());
        object.put(
                "targets", form.requirement().supported().stream().map(Target::toString).toList());
        object.put("section", form.syntax().section());
        return object;
    }
}
