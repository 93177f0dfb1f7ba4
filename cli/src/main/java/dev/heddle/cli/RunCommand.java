package dev.heddle.cli;

import dev.heddle.cuda.Machines;
import dev.heddle.ptx.check.InvalidModule;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Machine;
import dev.heddle.vm.MachineKind;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Listing;
import dev.heddle.vm.launch.KernelCache;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `heddle run`: kernels on the CPU, on a GPU, or on both.
final class RunCommand extends Command {
    private static final String IR = "ir";

    RunCommand() {
        Thread.ofPlatform().daemon().start(RunCommand::initialize);
    }

    /// What JDK 25 takes its time for at first use, beside what comes before the launch file:
    /// `BigDecimal`, which the JSON parser needs, computes a table of powers for 30 ms, and the
    /// calls into the system are linked.
    private static void initialize() {
        var _ = BigDecimal.ONE;
        Machine.link();
    }

    @Override
    String help() {
        return """
        Run a kernel of a PTX file on the CPU, checked while it runs, and compare what it
            leaves with what is expected.
        FILE is a module (.ptx; - is standard input; of an executable the module inside that
            has the kernel), or any number of launch files (.json), which hold a launch and
            what to expect of it; for them there is one line each.
        Arguments come in the order of the parameters: s32:5, f32:1.5, f16:0x3c00,
            bytes:00ff, a=a.npy, a=bf16:a.npy, a=w.safetensors:layer.0, c=zeros:f32:16x8,
            c=poison:f32:16x8, a=random:f16:64x64:SEED.

        FILE ...  A module, or launch files.
        --launch FILE  A launch file (JSON); other options add to it.
        --target T,T...  For launch files: the modules NAME.T.ptx beside them; of an
            executable: those for T, such as compute_80.
        --entry E  The kernel, if there are several: its name, a part that only it has, or
            as C++ writes it.
        --grid X,Y,Z  CTAs.
        --block X,Y,Z  Threads of a CTA.
        --shared BYTES  Dynamic shared memory.
        --cluster X,Y,Z  CTAs of a cluster.
        --cooperative  All CTAs run at once and may wait for one another.
        --arg ARG ...  An argument.
        --buffer NAME=WHAT ...  A buffer that is no argument, spelled like one.
        --variable NAME=VALUE ...  What a variable of the module holds: n=s32:3, or
            filter=f.npy.
        --save NAME=FILE ...  Save a buffer after the launch: .npy, .safetensors,
            FILE.safetensors:TENSOR.
        --expect NAME=FILE ...  What a buffer should hold, bit for bit.
        --save-anywhere  Let launch files save outside their own folder.
        --within NAME=BOUND ...  How far from that: ulps:N, relative:X, absolute:X.
        """
                + LaunchOptions.FINDINGS
                + """
                --timeout SECONDS  End each launch after so long (default: 60).
                --max-instructions N  End it after so many thread-instructions.
                --threads N  Worker threads (default: all cores).
                --executor E  interpreter, or compiler (to bytecode; the default). Both give the
                    same results and find the same things; the interpreter is the reference.
                --arch T  Compute matrix products as this generation does (sm_80, sm_90, sm_120 ...;
                    default: as the module's .target).
                --on gpu  Run on the GPU of this machine.
                --compare M,M...  Run on several machines, bits side by side: interpreter, compiler,
                    gpu. One alone is compared with the executor.
                --trace WHAT  Print the instructions of some lanes as they run, with their
                    registers: any of cta=X,Y,Z warp=0 lanes=0-3 regs=%%r1,%%f2 lines=40-60
                    max=1000, with blanks between (default: lane 0 of warp 0 of CTA 0,0,0).
                --dump ir  Print what the kernel is lowered to, and every function that it reaches,
                    instead of running it.
                --advise  Count what costs time, on the interpreter: bank conflicts, sectors of
                    global memory, branches that part lanes, redundant barriers.
                --report  Every instruction in the closing report.
                --json  One JSON object for each launch, on one line.
                --sarif FILE  Write the findings as SARIF 2.1.0.
                --junit-xml FILE  Write the launches as tests of JUnit XML.

                Examples:
                  heddle run examples/sparse-gemm-f16/launch.json
                  heddle run vadd.ptx --grid 4 --block 256 --arg a=a.npy --arg b=b.npy \\
                      --arg c=poison:f32:1024 --arg s32:1024 --save c=c.npy --expect c=sum.npy
                  heddle run vadd.ptx --launch vadd.json --trace 'warp=1 lanes=0-3 regs=%r1,%f2'
                  heddle run corpus/*/launch*.json --target compute_80 --compare gpu

                Exit codes: 0 as expected; 1 not, or an assembler would reject the module, or \
                --compare found a difference; 2 wrong usage or input.
                """;
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return Map.of(
                "--executor",
                List.of(MachineKind.INTERPRETER.word(), MachineKind.COMPILER.word()),
                "--arch",
                Completions.generations(),
                "--on",
                List.of(MachineKind.GPU.word()),
                "--dump",
                List.of(IR));
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        String dump = value(given, "--dump");
        if (dump != null) {
            return dump(dump, given, out);
        }
        LaunchSet set = LaunchSet.of(given);
        RunMode mode = RunMode.of(given);
        try (Machines machines = mode.open()) {
            mode.requireGpu(machines);
            RunReports reports = RunReports.of(given, set.known());
            int code =
                    set.requests().size() == 1 && set.skipped().isEmpty()
                            ? new Single(mode, machines, reports, out, err)
                                    .one(set.requests().getFirst())
                            : new RunBatch(mode, machines, reports, out, err).run(set);
            reports.write(code);
            if (!mode.json()) {
                reports.unused().forEach(out::println);
            }
            return code;
        }
    }

    private static int dump(String what, ParseResult given, PrintWriter out) throws IOException {
        if (!what.equals(IR)) {
            throw new UsageError("--dump " + what + ": expected " + IR);
        }
        try {
            kernel(given).program().codes().stream()
                    .filter(Code::isLowered)
                    .map(Listing::of)
                    .forEach(out::println);
            return 0;
        } catch (InvalidModule e) {
            out.println(new Rejection(e).text());
            return 1;
        }
    }

    /// The kernel of the one launch, or of a module that nothing says how to launch.
    private static Kernel kernel(ParseResult given) throws IOException {
        List<String> files = words(given);
        if (files.size() == 1 && files.getFirst().endsWith(".ptx") && !has(given, "--launch")) {
            String entry = value(given, "--entry");
            return Kernel.read(
                    LaunchPlan.readable(Path.of(files.getFirst())), entry == null ? "" : entry);
        }
        List<LaunchSet.Request> requests = LaunchSet.of(given).requests();
        if (requests.size() != 1) {
            throw new UsageError("--dump ir: expected one launch, found " + requests.size());
        }
        return requests.getFirst().read(new KernelCache()).kernel();
    }

    /// One launch, and what becomes of it.
    private record Single(
            RunMode mode, Machines machines, RunReports reports, PrintWriter out, PrintWriter err) {
        int one(LaunchSet.Request request) throws IOException {
            LaunchPlan plan;
            try {
                plan = request.read(new KernelCache());
            } catch (InvalidModule e) {
                Rejection rejection = new Rejection(e);
                reports.add(request.name(), rejection);
                out.println(
                        mode.json() ? Json.line(rejection.json(request.name())) : rejection.text());
                return 1;
            }
            return run(plan);
        }

        private int run(LaunchPlan plan) throws IOException {
            List<Execution> executions = mode.execute(plan, machines, out, err);
            reports.add(executions);
            Execution first = executions.getFirst();
            if (first.result().outcome().isClean()) {
                plan.saves().write(first.result()).forEach(err::println);
            }
            List<MachineComparison> comparisons = RunMode.compare(executions);
            if (mode.json()) {
                Map<String, Object> object = new LinkedHashMap<>(new ClosingReport(first).json());
                if (!comparisons.isEmpty()) {
                    object.put(
                            "comparisons",
                            comparisons.stream().map(MachineComparison::json).toList());
                }
                object.put("unused_suppressions", reports.unused());
                out.println(Json.line(object));
            } else {
                for (Execution execution : executions) {
                    print(execution, mode.wholeReport(), out);
                }
                comparisons.forEach(comparison -> comparison.lines().forEach(out::println));
            }
            boolean fine =
                    executions.stream().allMatch(one -> one.result().complaints().isEmpty())
                            && comparisons.stream().allMatch(MachineComparison::agrees);
            return fine ? 0 : 1;
        }
    }

    private static void print(Execution execution, boolean whole, PrintWriter out) {
        out.print(execution.result().outcome().output());
        execution.result().complaints().forEach(out::println);
        execution.warnings().forEach(out::println);
        execution.omissions().forEach(out::println);
        if (execution.result().complaints().isEmpty()) {
            List<String> parts = new ArrayList<>();
            execution
                    .result()
                    .agreements()
                    .forEach((buffer, agreement) -> parts.add(buffer + ", " + agreement));
            if (execution.plan().check().file().stdout() != null) {
                parts.add("what it printed");
            }
            out.println(
                    parts.isEmpty()
                            ? "ended without a finding"
                            : "as expected: " + String.join("; ", parts));
        }
        new ClosingReport(execution).lines(whole).forEach(out::println);
        execution.advised().forEach(out::println);
    }
}
