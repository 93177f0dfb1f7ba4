package dev.heddle.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.util.ArrayList;
import java.util.List;

/// A completion script for fish: commands, their options with values, and opcodes.
final class FishCompletion {
    private FishCompletion() {}

    /// The script.
    ///
    /// @param heddle the command with all its subcommands
    static String of(CommandSpec heddle) {
        List<String> lines = new ArrayList<>();
        lines.add("# Completion of heddle for fish, printed by heddle completion --shell fish.");
        for (OptionSpec option : heddle.options()) {
            lines.add("complete -c heddle -n __fish_use_subcommand" + option(option));
        }
        heddle.subcommands()
                .forEach((name, command) -> command(name, command.getCommandSpec(), lines));
        lines.add(
                "complete -c heddle -n '__fish_seen_subcommand_from explain where layout code exec'"
                        + " -f -a '(heddle find --complete (commandline -ct) 2>/dev/null)'");
        return String.join("\n", lines) + "\n";
    }

    private static void command(String name, CommandSpec command, List<String> lines) {
        if (command.usageMessage().hidden()) {
            return;
        }
        lines.add(
                "complete -c heddle -n __fish_use_subcommand -f -a %s -d %s"
                        .formatted(name, quoted(command.usageMessage().description())));
        for (OptionSpec option : command.options()) {
            if (!option.hidden()) {
                lines.add(
                        "complete -c heddle -n '__fish_seen_subcommand_from %s'%s"
                                .formatted(name, option(option)));
            }
        }
    }

    private static String option(OptionSpec option) {
        StringBuilder words = new StringBuilder();
        for (String name : option.names()) {
            words.append(
                    name.startsWith("--")
                            ? " -l " + name.substring(2)
                            : " -s " + name.substring(1));
        }
        if (option.arity().max() > 0) {
            words.append(" -r");
            Iterable<String> candidates = option.completionCandidates();
            if (candidates != null && candidates.iterator().hasNext()) {
                words.append(" -f -a ").append(quoted(String.join(" ", candidates)));
            }
        }
        return words.append(" -d ").append(quoted(option.description())).toString();
    }

    /// The first sentence, in single quotes.
    private static String quoted(String... text) {
        String first = text.length == 0 ? "" : text[0];
        int end = first.indexOf(". ");
        String sentence = end < 0 ? first : first.substring(0, end);
        return "'" + sentence.replace("\\", "\\\\").replace("'", "\\'").replace("%%", "%") + "'";
    }
}
