package dev.heddle.cli;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// A subcommand of `heddle`.
///
/// Its options are built in code rather than read from annotations: reading annotations takes
/// longer than a whole look-up.
abstract class Command {
    private final String name;
    private final StandardInput input = new StandardInput();

    Command(String name) {
        this.name = name;
    }

    /// What follows `heddle` on the command line.
    final String name() {
        return name;
    }

    /// Adds options, parameters and help to an empty specification.
    abstract void describe(CommandSpec spec);

    /// Does it.
    ///
    /// @param given what the command line gave
    /// @param out   where the answer goes
    /// @param err   where progress and complaints go
    /// @return the exit code: 0 fine, 1 the answer is no
    /// @throws UsageError for wrong usage or input, exit code 2
    abstract int run(ParseResult given, PrintWriter out, PrintWriter err) throws Exception;

    /// As [#run]; what was kept of standard input goes afterwards.
    final int call(ParseResult given, PrintWriter out, PrintWriter err) throws Exception {
        try (input) {
            return run(given, out, err);
        }
    }

    /// The command that was given.
    static Command of(ParseResult given) {
        return (Command) given.commandSpec().userObject();
    }

    /// Standard input of the command that was given, for files that may be `-`.
    static StandardInput input(ParseResult given) {
        return of(given).input;
    }

    /// The specification, with `--help`.
    final CommandSpec spec() {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(this).name(name);
        spec.usageMessage().sortOptions(false);
        describe(spec);
        color(spec);
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help and end.")
                        .build());
        return spec;
    }

    /// Adds the option that says whether output is coloured; [Style] reads it.
    static void color(CommandSpec spec) {
        options(
                spec,
                Map.of(Style.OPTION, Style.CHOICES),
                """
                --color WHEN  Colours: always, never, or auto, on a terminal unless NO_COLOR is set
                    (default).
                """);
    }

    /// Adds options as the help lists them, each on a line: its name, what its value is called,
    /// `...` where it may be given several times, two blanks, and what it is for, which goes on in
    /// lines further in.
    static void options(CommandSpec spec, String lines) {
        options(spec, Map.of(), lines);
    }

    /// As [#options(CommandSpec, String)].
    ///
    /// @param choices what Tab completes the values of some options to
    static void options(
            CommandSpec spec, Map<String, ? extends Iterable<String>> choices, String lines) {
        for (String line : lines.replace("\n    ", " ").strip().split("\n")) {
            int blanks = line.indexOf("  ");
            String[] words = line.substring(0, blanks).split(" ");
            OptionSpec.Builder option =
                    words.length == 1
                            ? OptionSpec.builder(words[0]).type(boolean.class).arity("0")
                            : option(words[0], words[1]);
            if (words.length == 3) {
                option.type(List.class).auxiliaryTypes(String.class);
            }
            Iterable<String> values = choices.get(words[0]);
            if (values != null) {
                option.completionCandidates(values);
            }
            spec.addOption(option.description(line.substring(blanks + 2)).build());
        }
    }

    /// An option with a value.
    static OptionSpec.Builder option(String name, String label) {
        return OptionSpec.builder(name).paramLabel(label).type(String.class).arity("1");
    }

    /// One or more positional parameters from an index on.
    static PositionalParamSpec parameters(int from, String label, String... description) {
        return PositionalParamSpec.builder()
                .index(from + "..*")
                .paramLabel(label)
                .arity("1..*")
                .required(true)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description(description)
                .build();
    }

    /// A mandatory positional parameter.
    static PositionalParamSpec.Builder parameter(
            String index, String label, String... description) {
        return PositionalParamSpec.builder()
                .index(index)
                .paramLabel(label)
                .type(String.class)
                .arity("1")
                .required(true)
                .description(description);
    }

    /// The examples at the end of the help.
    static void examples(CommandSpec spec, String... lines) {
        String[] literal =
                Arrays.stream(lines).map(l -> l.replace("%", "%%")).toArray(String[]::new);
        spec.usageMessage().footerHeading("%nExamples:%n").footer(literal);
    }

    /// The value of an option, or null.
    static @Nullable String value(ParseResult given, String option) {
        return given.matchedOptionValue(option, (String) null);
    }

    /// Whether a flag was given.
    static boolean has(ParseResult given, String flag) {
        return given.hasMatchedOption(flag);
    }

    /// The positional parameter at an index.
    static String at(ParseResult given, int index) {
        return given.matchedPositionalValue(index, "");
    }

    /// All words of the positional parameters.
    static List<String> words(ParseResult given) {
        return given.matchedPositionals().stream()
                .flatMap(p -> p.originalStringValues().stream())
                .toList();
    }
}
