package dev.heddle.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

import java.io.FileDescriptor;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
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
        commands.put("code", CodeCommand::new);
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
        commands.put("help", HelpCommand::new);
        commands.put("rehearse", RehearseCommand::new);
        return commands;
    }

    /// Runs the command and ends the process with its exit code.
    public static void main(String[] args) {
        Delivery stream = new Delivery(new FileOutputStream(FileDescriptor.out));
        PrintWriter out = writer(stream);
        PrintWriter err = writer(standardError());
        int code = run(out, err, args);
        out.flush();
        if (stream.failed()) {
            err.println("heddle: cannot write standard output: " + stream.reason());
            code = UsageError.CODE;
        }
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
        List<String> words = List.of(args);
        Style style = Style.of(words, Terminal.ofProcess());
        PrintWriter shown = style.out(out);
        PrintWriter shownErr = style.err(err);
        Complaint complaint;
        try {
            return call(shown, shownErr, style, args);
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            complaint = Complaint.about(e);
        } finally {
            shown.flush();
        }
        complaint.print(words.contains("--json"), out, shownErr);
        shownErr.flush();
        return UsageError.CODE;
    }

    private static int call(PrintWriter out, PrintWriter err, Style style, String... args)
            throws Exception {
        Supplier<Command> named = args.length > 0 ? COMMANDS.get(args[0]) : null;
        if (named != null) {
            return alone(
                    args[0],
                    named.get(),
                    style,
                    Arrays.copyOfRange(args, 1, args.length),
                    out,
                    err);
        }
        if (args.length > 0 && !args[0].startsWith("-")) {
            throw unknown(args[0]);
        }
        return among(complete().parseArgs(args), style, out, err);
    }

    /// A complaint about a word that is no command.
    static UsageError unknown(String word) {
        return Complaint.unknownCommand(word, COMMANDS.keySet());
    }

    /// Runs a subcommand without building the others: start-up counts.
    private static int alone(
            String name,
            Command command,
            Style style,
            String[] args,
            PrintWriter out,
            PrintWriter err)
            throws Exception {
        CommandLine line = new CommandLine(command.spec("heddle " + name));
        ParseResult given = line.parseArgs(args);
        if (given.isUsageHelpRequested()) {
            usage(line, out, style);
            return 0;
        }
        Style.check(given);
        return command.call(given, out, err);
    }

    private static int among(ParseResult given, Style style, PrintWriter out, PrintWriter err)
            throws Exception {
        if (given.isVersionHelpRequested()) {
            for (String line : Version.lines()) {
                out.println(line);
            }
            return 0;
        }
        ParseResult rest = given.subcommand();
        Supplier<Command> named = rest == null ? null : COMMANDS.get(rest.commandSpec().name());
        if (named == null || given.isUsageHelpRequested() || rest.isUsageHelpRequested()) {
            boolean one = rest != null && rest.isUsageHelpRequested();
            usage((one ? rest : given).commandSpec().commandLine(), out, style);
            return 0;
        }
        Style.check(given);
        Style.check(rest);
        return Command.of(rest).call(rest, out, err);
    }

    /// Prints the help of a command.
    static void usage(CommandLine line, PrintWriter out, Style style) {
        line.setUsageHelpWidth(Terminal.ofProcess().helpColumns());
        line.usage(out, style.colorOut() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF);
    }

    /// The command with all its subcommands.
    static CommandLine complete() {
        CommandLine line = new CommandLine(heddle());
        COMMANDS.forEach(
                (name, command) ->
                        line.addSubcommand(name, new CommandLine(command.get().spec(name))));
        return line;
    }

    private static CommandSpec heddle() {
        CommandSpec spec = CommandSpec.create().name("heddle");
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
        Command.color(spec);
        spec.usageMessage()
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
