package dev.heddle.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

import java.util.ArrayList;
import java.util.List;

/// A completion script for zsh: commands, their options with values, and opcodes.
///
/// It serves as a file on `fpath` and by `source` alike.
final class ZshCompletion {
    private static final String FILES = "_files";
    private static final String OPCODE = "_heddle_opcodes";

    /// What completes an opcode: it grows by one qualifier a Tab, and words of it are taken, too.
    private static final String OPCODES =
            """
            _heddle_opcodes() {
              local -a found whole
              found=(${(f)"$($words[1] find --complete "$PREFIX" 2>/dev/null)"})
              whole=(${found:#*.})
              found=(${(M)found:#*.})
              (( $#found )) && compadd -U -S '' -- $found
              (( $#whole )) && compadd -U -- $whole
            }
            """;

    private ZshCompletion() {}

    /// The script.
    ///
    /// @param heddle the command with all its subcommands
    static String of(CommandSpec heddle) {
        List<String> lines = new ArrayList<>();
        lines.add("#compdef heddle");
        lines.add("# Completion of heddle for zsh, printed by heddle completion --shell zsh.");
        OPCODES.lines().forEach(lines::add);
        lines.add("_heddle() {");
        lines.add("  local -a commands");
        lines.add("  commands=(");
        heddle.subcommands()
                .forEach((name, command) -> name(name, command.getCommandSpec(), lines));
        lines.add("  )");
        lines.add("  if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then");
        lines.add("    _describe command commands");
        lines.add("    return");
        lines.add("  fi");
        lines.add("  local heddle=$words[1] command=$words[2]");
        lines.add("  (( CURRENT > 2 )) && { shift words; (( CURRENT-- )); words[1]=$heddle }");
        lines.add("  case $command in");
        heddle.subcommands()
                .forEach((name, command) -> command(name, command.getCommandSpec(), lines));
        lines.add("    *) _arguments" + options(heddle) + ";;");
        lines.add("  esac");
        lines.add("}");
        lines.add(
                "if [[ $funcstack[1] == _heddle ]]; then _heddle; else compdef _heddle heddle; fi");
        return String.join("\n", lines) + "\n";
    }

    private static void name(String name, CommandSpec command, List<String> lines) {
        if (!command.usageMessage().hidden()) {
            lines.add("    " + quoted(name + ":" + sentence(command.usageMessage().description())));
        }
    }

    private static void command(String name, CommandSpec command, List<String> lines) {
        if (command.usageMessage().hidden()) {
            return;
        }
        StringBuilder words = new StringBuilder(options(command));
        for (PositionalParamSpec positional : command.positionalParameters()) {
            words.append(" \\\n      ").append(quoted(place(positional)));
        }
        lines.add("    %s) _arguments%s;;".formatted(name, words));
    }

    private static String place(PositionalParamSpec positional) {
        boolean last = positional.index().max() == Integer.MAX_VALUE;
        String label = positional.paramLabel();
        boolean opcode = label.equals("OPCODE") || label.startsWith("INSTRUCTION");
        String values = values(positional.completionCandidates());
        String action =
                !opcode
                        ? values
                        : values.equals(FILES)
                                ? OPCODE
                                : "{" + OPCODE + "; compadd -- " + within(values) + "}";
        return (last ? "*" : String.valueOf(positional.index().min() + 1))
                + ":"
                + escaped(label)
                + ":"
                + action;
    }

    private static String within(String list) {
        return list.substring(1, list.length() - 1);
    }

    private static String options(CommandSpec command) {
        StringBuilder words = new StringBuilder();
        for (OptionSpec option : command.options()) {
            for (String name : option.hidden() ? new String[0] : option.names()) {
                String text = escaped(sentence(option.description()));
                String value =
                        option.arity().max() > 0
                                ? ":"
                                        + escaped(option.paramLabel())
                                        + ":"
                                        + values(option.completionCandidates())
                                : "";
                String many = option.isMultiValue() ? "*" : "";
                words.append(" \\\n      ").append(quoted(many + name + "[" + text + "]" + value));
            }
        }
        return words.toString();
    }

    private static String values(Iterable<String> candidates) {
        return candidates != null && candidates.iterator().hasNext()
                ? "(" + escaped(String.join(" ", candidates)) + ")"
                : FILES;
    }

    /// Of a text what has a meaning to `_arguments` by itself.
    private static String escaped(String text) {
        return text.replaceAll("([\\\\:\\[\\]])", "\\\\$1");
    }

    /// The first sentence.
    private static String sentence(String... text) {
        String first = text.length == 0 ? "" : text[0];
        int end = first.indexOf(". ");
        return (end < 0 ? first : first.substring(0, end))
                .replaceFirst("[.]$", "")
                .replace("%%", "%");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
