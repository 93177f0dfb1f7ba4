package dev.heddle.cli;

import picocli.AutoComplete;
import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/// `heddle completion`: a completion script for bash, zsh or fish.
final class CompletionCommand extends Command {
    /// Opcodes grow by one qualifier a Tab; everything else is picocli's script. Shells break words
    /// at colons, as of `mma.sp::ordered_metadata`, so the word is taken from the line.
    private static final String OPCODES =
            """

            function _complete_heddle_opcode() {
              local line="${COMP_LINE:0:COMP_POINT}"
              local word="${line##*[[:space:]\\"\\']}"
              local before="${line%"$word"}"
              before="${before%[\\"\\']}"
              local -a words
              read -r -a words <<< "$before"
              local opcode=1
              case "${words[1]}" in
                explain|where|layout|code|exec) [[ "$word" == -* || ${#words[@]} -ne 2 ]] && opcode=0;;
                *) opcode=0;;
              esac
              if [ "$opcode" = 0 ]; then
                _complete_heddle "$@"
                return
              fi
              local colons="${word%"${word##*:}"}"
              [[ "$COMP_WORDBREAKS" == *:* ]] || colons=""
              local IFS=$'\\n'
              COMPREPLY=( $("${COMP_WORDS[0]}" find --complete "$word" 2> /dev/null) )
              COMPREPLY=( "${COMPREPLY[@]#"$colons"}" )
              [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" != *. ]] || compopt -o nospace
            }

            complete -F _complete_heddle_opcode -o default heddle heddle.sh heddle.bash
            """;

    @Override
    String help() {
        return """
        Print a tab completion script for a shell.

        --shell S  bash, zsh or fish (default: bash).

        Examples:
          source <(heddle completion)                   bash, in this shell
          source <(heddle completion --shell zsh)       zsh, behind compinit
          heddle completion >> ~/.bash_completion       for every shell
          heddle completion --shell fish > ~/.config/fish/completions/heddle.fish
        """;
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return Map.of("--shell", List.of("bash", "zsh", "fish"));
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) {
        String shell = value(given, "--shell");
        switch (shell == null ? "bash" : shell) {
            case "bash" -> {
                out.print(AutoComplete.bash("heddle", Main.complete()));
                out.print(OPCODES);
            }
            case "zsh" -> out.print(ZshCompletion.of(Main.complete().getCommandSpec()));
            case "fish" -> out.print(FishCompletion.of(Main.complete().getCommandSpec()));
            default -> throw new UsageError("--shell " + shell + ": expected bash, zsh or fish");
        }
        return 0;
    }
}
