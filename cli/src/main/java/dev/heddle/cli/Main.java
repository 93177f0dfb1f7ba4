package dev.heddle.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

import java.io.FileDescriptor;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/// The `heddle` command.
///
/// Exit codes: 0 fine, 1 the answer is no (a check failed), 2 wrong usage or input.
public final class Main {
    /// The subcommands by name, in the order of the help.
    private static final Map<String, Supplier<Command>> COMMANDS = commands();

    static {
        // The converters that picocli looks for by name (of dates, of databases) take a fifth of a
        // look-up; no option here has such a type.
        System.setProperty("picocli.converters.excludes", "java\\..*");
    }

    private Main() {}

    private static Map<String, Supplier<Command>> commands() {
        Map<String, Supplier<Command>> commands = new LinkedHashMap<>();
        commands.put("explain", ExplainCommand::new);
        commands.put("where", WhereCommand::new);
        commands.put("layout", LayoutCommand::new);
        commands.put("forms", FormsCommand::new);
        commands.put("find", FindCommand::new);
        commands.put("check", CheckCommand::new);
        commands.put("run", RunCommand::new);
        commands.put("cuda", CudaCommand::new);
        commands.put("exec", ExecCommand::new);
        commands.put("vectors", VectorsCommand::new);
        commands.put("inspect", InspectCommand::new);
        commands.put("prune", PruneCommand::new);
        commands.put("compress", () -> new ConvertCommand("compress"));
        commands.put("expand", () -> new ConvertCommand("expand"));
        commands.put("convert", () -> new ConvertCommand("convert"));
        commands.put("explore", ExploreCommand::new);
        commands.put("completion", CompletionCommand::new);
        commands.put("rehearse", RehearseCommand::new);
        return commands;
    }

    /// Runs the command and ends the process with its exit code.
    public static void main(String[] args) {
        PrintWriter out = writer(new FileOutputStream(FileDescriptor.out));
        PrintWriter err = writer(standardError());
        int code = run(out, err, args);
        out.flush();
        err.flush();
        // Everything is written and nothing hooks into the end; System.exit would first set up
        // logging, to log itself.
        Runtime.getRuntime().halt(code);
    }

    /// Where complaints go: what the launcher names, or the process's own standard error. The
    /// launcher filters the latter, because the JVM announces incubator modules there.
    private static OutputStream standardError() {
        String device = System.getProperty("heddle.stderr");
        if (device != null) {
            try {
                return new FileOutputStream(device, true);
            } catch (FileNotFoundException e) {
                // A socket, say, cannot be opened anew; the filter passes everything else on.
            }
        }
        return new FileOutputStream(FileDescriptor.err);
    }

    private static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(stream, false, StandardCharsets.UTF_8);
    }

    /// Runs the command on streams.
    ///
    /// @return the exit code
    static int run(PrintWriter out, PrintWriter err, String... args) {
        Supplier<Command> named = args.length > 0 ? COMMANDS.get(args[0]) : null;
        try {
            return named == null
                    ? among(complete().parseArgs(args), out, err)
                    : alone(named.get(), Arrays.copyOfRange(args, 1, args.length), out, err);
        } catch (ParameterException e) {
            err.println("heddle: " + e.getMessage());
            if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, err)) {
                String command = e.getCommandLine().getCommandSpec().qualifiedName();
                err.println("Try '" + command + " --help'.");
            }
        } catch (UsageError | IllegalArgumentException | IOException e) {
            err.println("heddle: " + e.getMessage());
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            err.println(
                    "heddle: internal error, not a fault of your input: "
                            + e
                            + (e.getStackTrace().length > 0 ? " at " + e.getStackTrace()[0] : "")
                            + "; please report it with the command you ran");
        }
        return 2;
    }

    /// Runs a subcommand without building the others: start-up counts.
    private static int alone(Command command, String[] args, PrintWriter out, PrintWriter err)
            throws Exception {
        CommandLine line = new CommandLine(command.spec().name("heddle " + command.name()));
        ParseResult given = line.parseArgs(args);
        if (given.isUsageHelpRequested()) {
            line.usage(out);
            return 0;
        }
        return command.run(given, out, err);
    }

    private static int among(ParseResult given, PrintWriter out, PrintWriter err) throws Exception {
        CommandLine line = given.commandSpec().commandLine();
        if (given.isVersionHelpRequested()) {
            line.printVersionHelp(out);
            return 0;
        }
        Supplier<Command> named =
                given.hasSubcommand()
                        ? COMMANDS.get(given.subcommand().commandSpec().name())
                        : null;
        if (named == null || given.isUsageHelpRequested()) {
            line.usage(out);
            return 0;
        }
        ParseResult rest = given.subcommand();
        if (rest.isUsageHelpRequested()) {
            rest.commandSpec().commandLine().usage(out);
            return 0;
        }
        return named.get().run(rest, out, err);
    }

    /// The command with all its subcommands.
    static CommandLine complete() {
        CommandLine line = new CommandLine(heddle());
        COMMANDS.forEach(
                (name, command) -> line.addSubcommand(name, new CommandLine(command.get().spec())));
        return line;
    }

    private static CommandSpec heddle() {
        String version = Main.class.getPackage().getImplementationVersion();
        CommandSpec spec =
                CommandSpec.create()
                        .name("heddle")
                        .version("heddle " + (version == null ? "(development)" : version));
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help and end.")
                        .build());
        spec.addOption(
                OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Show the version and end.")
                        .build());
        spec.usageMessage()
                .width(Command.WIDTH)
                .synopsisSubcommandLabel("COMMAND")
                .description(
                        "An executable specification of the tensor-core matrix instructions of"
                                + " PTX.")
                .footerHeading("%nExamples:%n")
                .footer(
                        "  heddle explain mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                        "  heddle where mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 A"
                                + " --element 9,10",
                        "  heddle layout mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 E",
                        "  heddle forms --family mma.sp --target sm_90",
                        "",
                        "Exit codes: 0 fine, 1 the answer is no, 2 wrong usage or input.");
        return spec;
    }
}
