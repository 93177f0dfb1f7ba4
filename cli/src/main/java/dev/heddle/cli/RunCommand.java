package dev.heddle.cli;

import dev.heddle.formats.Codes;
import dev.heddle.formats.Format;
import dev.heddle.formats.Tensor;
import dev.heddle.sparse.files.TensorReference;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.launch.Expectation;
import dev.heddle.vm.report.Finding;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `heddle run`: a kernel on the CPU.
final class RunCommand extends Command {
    RunCommand() {
        super("run");
    }

    @Override
    void describe(CommandSpec spec) {
        spec.usageMessage()
                .description(
                        "Run a kernel of a PTX file on the CPU, checked while it runs, and compare"
                                + " what it leaves with what is expected.",
                        "Arguments come in the order of the parameters, from a launch file or from"
                                + " --arg: s32:5, f32:1.5, bytes:00ff, a=a.npy, c=zeros:f32:16x8,"
                                + " c=poison:f32:16x8.");
        spec.addPositional(parameter("0", "FILE.ptx", "The module.").build());
        spec.addOption(
                option("--launch", "FILE", "A launch file (JSON) that says all of the rest.")
                        .build());
        spec.addOption(option("--entry", "E", "The kernel, if there are several.").build());
        spec.addOption(option("--grid", "X,Y,Z", "CTAs.").build());
        spec.addOption(option("--block", "X,Y,Z", "Threads of a CTA.").build());
        spec.addOption(option("--shared", "BYTES", "Dynamic shared memory.").build());
        spec.addOption(many("--arg", "ARG", "An argument."));
        spec.addOption(many("--save", "NAME=FILE", "Save a buffer after the launch."));
        spec.addOption(many("--expect", "NAME=FILE", "What a buffer should hold, bit for bit."));
        spec.addOption(
                option("--check", "all|none", "Look for undefined behaviour (default: all).")
                        .build());
        spec.addOption(option("--timeout", "SECONDS", "End it after so long.").build());
        spec.addOption(
                option("--max-instructions", "N", "End it after so many thread-instructions.")
                        .build());
        spec.addOption(option("--threads", "N", "Worker threads (default: all cores).").build());
        spec.addOption(flag("--json", "One JSON object."));
        examples(
                spec,
                "  heddle run examples/sparse-gemm-f16/sparse-gemm-f16.compute_80.ptx \\",
                "      --launch examples/sparse-gemm-f16/launch.json",
                "  heddle run vadd.ptx --grid 4,1,1 --block 256,1,1 --arg a=a.npy --arg b=b.npy \\",
                "      --arg c=poison:f32:1024 --arg s32:1024 --save c=c.npy",
                "",
                "Exit codes: 0 as expected; 1 not; 2 wrong usage or input.");
    }

    private static OptionSpec many(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .description(description)
                .build();
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        Path file = Path.of(at(given, 0));
        if (!Files.isReadable(file)) {
            throw new Refusal(file + ": no such file, or not readable");
        }
        LaunchPlan plan = LaunchPlan.of(given);
        String text = Files.readString(file);
        Kernel kernel = Kernel.of(text, file.toString(), plan.entry());
        Outcome outcome = Machine.interpreter().run(kernel, limited(plan.launch(), given));
        save(given, plan, outcome, err);
        List<String> complaints = new ArrayList<>();
        for (Finding finding : outcome.findings()) {
            complaints.add(finding.text(line -> line(text, line)));
        }
        complaints.addAll(disagreements(plan, outcome));
        print(given, outcome, complaints, plan, out);
        return complaints.isEmpty() ? 0 : 1;
    }

    private static Launch limited(Launch launch, ParseResult given) {
        Launch.Bounds bounds = launch.limits();
        String timeout = value(given, "--timeout");
        String steps = value(given, "--max-instructions");
        Launch limited =
                launch.withLimits(
                        new Launch.Bounds(
                                bounds.memoryBytes(),
                                bounds.localBytes(),
                                steps == null
                                        ? bounds.steps()
                                        : positive("--max-instructions", steps),
                                timeout == null
                                        ? bounds.time()
                                        : Duration.ofSeconds(positive("--timeout", timeout))));
        String threads = value(given, "--threads");
        if (threads != null) {
            limited = limited.withThreads((int) Math.min(positive("--threads", threads), 1024));
        }
        String check = value(given, "--check");
        return switch (check == null ? "all" : check) {
            case "all" -> limited;
            case "none" -> limited.withChecking(Launch.Checking.NONE);
            default -> throw new Refusal("--check " + check + ": expected all or none");
        };
    }

    private static long positive(String option, String text) {
        try {
            long value = Long.parseLong(text);
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new Refusal(option + " " + text + ": expected a positive whole number");
    }

    private static String line(String text, int line) {
        return text.lines().skip(Math.max(0, line - 1)).findFirst().orElse("");
    }

    private static void save(ParseResult given, LaunchPlan plan, Outcome outcome, PrintWriter err)
            throws IOException {
        for (String option : given.matchedOptionValue("--save", List.<String>of())) {
            String[] parts = option.split("=", 2);
            if (parts.length != 2) {
                throw new Refusal("--save " + option + ": expected NAME=FILE");
            }
            byte[] bytes = outcome.buffer(parts[0]);
            Format format = plan.format(parts[0]);
            Codes codes = Codes.wrap(format, bytes.length * 8L / format.bits(), bytes);
            TensorReference.parse(parts[1])
                    .write(new Tensor(plan.shape(parts[0], bytes.length), codes));
            err.println("saved " + parts[0] + " in " + parts[1]);
        }
    }

    private static List<String> disagreements(LaunchPlan plan, Outcome outcome) throws IOException {
        List<String> complaints = new ArrayList<>();
        if (!outcome.isClean()) {
            return complaints;
        }
        for (Expectation expectation : plan.expectations()) {
            Expectation.Agreement agreement =
                    expectation.compare(
                            outcome.buffer(expectation.buffer()), plan.read(expectation.file()));
            if (!agreement.holds()) {
                complaints.add(
                        "buffer "
                                + expectation.buffer()
                                + " is not as "
                                + expectation.file()
                                + " has it: "
                                + agreement);
            }
        }
        String stdout = plan.stdout();
        if (stdout != null && !stdout.equals(outcome.output())) {
            complaints.add("the kernel printed something else than the launch file expects");
        }
        return complaints;
    }

    private static void print(
            ParseResult given,
            Outcome outcome,
            List<String> complaints,
            LaunchPlan plan,
            PrintWriter out) {
        double seconds = outcome.report().nanoseconds() / 1e9;
        if (has(given, "--json")) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("ok", complaints.isEmpty());
            object.put("complaints", complaints);
            object.put("rules", outcome.findings().stream().map(Finding::rule).toList());
            object.put("stdout", outcome.output());
            object.put("seconds", seconds);
            object.put("thread_instructions", outcome.report().total());
            object.put("instructions", outcome.report().instructions());
            object.put("modelled", outcome.report().modelled());
            out.println(Json.line(object));
            return;
        }
        out.print(outcome.output());
        complaints.forEach(out::println);
        if (complaints.isEmpty()) {
            out.println(
                    plan.expectations().isEmpty()
                            ? "ended without a finding"
                            : "as expected: "
                                    + plan.expectations().size()
                                    + (plan.expectations().size() == 1 ? " buffer" : " buffers"));
        }
        out.println(
                "%d thread-instructions of %d kinds in %.3f s; %s"
                        .formatted(
                                outcome.report().total(),
                                outcome.report().instructions().size(),
                                seconds,
                                fidelity(outcome)));
    }

    private static String fidelity(Outcome outcome) {
        Map<String, String> modelled = outcome.report().modelled();
        return modelled.isEmpty()
                ? "fidelity: exact"
                : "fidelity: exact but for " + String.join(", ", modelled.keySet());
    }
}
