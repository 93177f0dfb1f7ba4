package dev.heddle.cli;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/// A subcommand of `heddle`.
///
/// Its options are built in code rather than read from annotations: reading annotations takes
/// longer than a whole look-up.
abstract class Command {
    private static final String EXAMPLES = "\nExamples:\n";

    private final StandardInput input = new StandardInput();

    /// What the command is for, and what it takes.
    ///
    /// What is in front of the first empty line says what it does, a paragraph a line. Behind that
    /// is a line for each parameter and option: its name, in brackets a parameter that may be left
    /// out; what an option's value is called; `...` where it may be given several times, `!` where
    /// an option must be given; two blanks, and what it is for. All of these go on in lines further
    /// in. Behind `Examples:` are examples, shown as they are.
    abstract String help();

    /// What Tab completes parameters and the values of options to, by the name of each.
    Map<String, ? extends Iterable<String>> choices() {
        return Map.of();
    }

    /// Says what no text can: parameters are there, options not all.
    void adjust(CommandSpec spec) {}

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
    final CommandSpec spec(String name) {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(this).name(name);
        spec.usageMessage().sortOptions(false);
        String help = help();
        int end = help.indexOf(EXAMPLES);
        String taken = help.substring(0, end < 0 ? help.length() : end).replace("\n    ", " ");
        int blank = taken.indexOf("\n\n");
        spec.usageMessage().description(taken.substring(0, blank).split("\n"));
        describe(spec, choices(), taken.substring(blank));
        if (end >= 0) {
            String examples = help.substring(end + EXAMPLES.length()).replace("%", "%%");
            spec.usageMessage().footerHeading("%nExamples:%n").footer(examples.split("\n"));
        }
        adjust(spec);
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
        describe(
                spec,
                Map.of(Style.OPTION, Style.CHOICES),
                "--color WHEN  Colours: always, never, or auto, on a terminal unless NO_COLOR is"
                        + " set (default).");
    }

    /// Adds parameters and options as [#help] lists them.
    private static void describe(
            CommandSpec spec, Map<String, ? extends Iterable<String>> choices, String lines) {
        int place = 0;
        for (String line : lines.split("\n")) {
            int blanks = line.indexOf("  ");
            if (blanks < 0) {
                continue;
            }
            String head = line.substring(0, blanks);
            String text = line.substring(blanks + 2);
            if (head.startsWith("-")) {
                String[] words = head.split(" ");
                OptionSpec.Builder option = OptionSpec.builder(words[0]).description(text);
                Iterable<String> values = choices.get(words[0]);
                spec.addOption(option(option, words).completionCandidates(values).build());
            } else {
                spec.addPositional(parameter(place++, head, text, choices));
            }
        }
    }

    private static OptionSpec.Builder option(OptionSpec.Builder option, String[] words) {
        if (words.length == 1) {
            return option.type(boolean.class).arity("0");
        }
        option.paramLabel(words[1]).type(String.class).arity("1");
        if (words.length == 3 && words[2].equals("!")) {
            option.required(true);
        } else if (words.length == 3) {
            option.type(List.class).auxiliaryTypes(String.class);
        }
        return option;
    }

    private static PositionalParamSpec parameter(
            int place, String head, String text, Map<String, ? extends Iterable<String>> choices) {
        boolean many = head.endsWith(" ...");
        String label = many ? head.substring(0, head.length() - 4) : head;
        boolean optional = label.startsWith("[");
        if (optional) {
            label = label.substring(1, label.length() - 1);
        }
        PositionalParamSpec.Builder parameter =
                PositionalParamSpec.builder()
                        .index(many ? place + "..*" : String.valueOf(place))
                        .paramLabel(label)
                        .arity((optional ? "0" : "1") + (many ? "..*" : optional ? "..1" : ""))
                        .required(!optional)
                        .type(many ? List.class : String.class)
                        .description(text)
                        .completionCandidates(choices.get(label));
        return many ? parameter.auxiliaryTypes(String.class).build() : parameter.build();
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
