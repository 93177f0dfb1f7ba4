package dev.heddle.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;

/// `heddle completion`: a completion script for bash and zsh.
final class CompletionCommand extends Command {
    CompletionCommand() {
        super("completion");
    }

    @Override
    void describe(CommandSpec spec) {
        spec.usageMessage().description("Print a tab completion script for bash and zsh.");
        examples(
                spec,
                "  source <(heddle completion)                   in this shell",
                "  heddle completion >> ~/.bash_completion       for every shell");
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) {
        out.print(AutoComplete.bash("heddle", Main.complete()));
        return 0;
    }
}
