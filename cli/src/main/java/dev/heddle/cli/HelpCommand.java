package dev.heddle.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;

/// `heddle help`: the help of everything, or of one command.
final class HelpCommand extends Command {
    HelpCommand() {
        super("help");
    }

    @Override
    void describe(CommandSpec spec) {
        spec.usageMessage().description("Show the help of a command.");
        spec.addPositional(
                PositionalParamSpec.builder()
                        .index("0")
                        .paramLabel("COMMAND")
                        .arity("0..1")
                        .type(String.class)
                        .description("The command; none for all of them.")
                        .build());
        examples(spec, "  heddle help", "  heddle help run");
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) {
        CommandLine all = Main.complete();
        String name = at(given, 0);
        Main.usage(
                name.isEmpty() ? all : named(all, name),
                out,
                Style.of(given.originalArgs(), Terminal.ofProcess()));
        return 0;
    }

    private static CommandLine named(CommandLine all, String name) {
        CommandLine command = all.getSubcommands().get(name);
        if (command == null) {
            throw Main.unknown(name);
        }
        return command;
    }
}
