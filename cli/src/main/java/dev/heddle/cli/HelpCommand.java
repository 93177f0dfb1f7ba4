package dev.heddle.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;

/// `heddle help`: the help of everything, or of one command.
final class HelpCommand extends Command {
    @Override
    String help() {
        return """
        Show the help of a command.

        [COMMAND]  The command; none for all of them.

        Examples:
          heddle help
          heddle help run
        """;
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
