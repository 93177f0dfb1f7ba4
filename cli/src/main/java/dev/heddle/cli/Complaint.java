package dev.heddle.cli;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Suggestion;

import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What is said of a call that is wrong.
///
/// @param message what is wrong
/// @param tries commands that were probably meant, or that tell more
record Complaint(String message, List<String> tries) {
    /// The longest word that is repeated whole, and how much of a longer one is.
    private static final int LONGEST_WORD = 400;

    private static final int SHOWN = 80;

    Complaint {
        message = shortened(ShownPath.in(message));
        tries = List.copyOf(tries);
    }

    private static Complaint of(String message) {
        return new Complaint(message, List.of());
    }

    /// Without what nobody reads: a word that fills screens hides what is said of it.
    private static String shortened(String message) {
        if (message.length() <= LONGEST_WORD) {
            return message;
        }
        return Pattern.compile("\\S{%d,}".formatted(LONGEST_WORD + 1))
                .matcher(message)
                .replaceAll(word -> Matcher.quoteReplacement(cut(word.group())));
    }

    private static String cut(String word) {
        return "%s... (%d characters)".formatted(word.substring(0, SHOWN), word.length());
    }

    /// A first word that is no command.
    static UsageError unknownCommand(String word, Collection<String> commands) {
        List<String> tries = new ArrayList<>();
        if (word.contains(".") && (word.startsWith("mma") || word.startsWith("wgmma"))) {
            tries.add("heddle explain '" + word + "'");
        } else if (word.endsWith(".ptx") && Files.isRegularFile(Path.of(word))) {
            tries.add("heddle check " + word);
            tries.add("heddle run " + word + " --help");
        } else if (word.endsWith(".json") && Files.isRegularFile(Path.of(word))) {
            tries.add("heddle run " + word);
        } else {
            Suggestion.nearest(word, commands).ifPresent(near -> tries.add("heddle " + near));
        }
        tries.add("heddle help");
        return new UsageError("\"" + word + "\" is no command", tries);
    }

    /// What is said of a call that ended so. Only what is about the input by its class is told as
    /// the user's: anything else, an [IllegalArgumentException] too, is a fault of this program.
    static Complaint about(Throwable e) {
        return switch (e) {
            case ParameterException parameters -> of(parameters);
            case UsageError usage -> new Complaint(String.valueOf(e.getMessage()), usage.tries());
            case InputException input -> of(input.getMessage());
            case InvalidPathException path -> of("no path: " + path.getMessage());
            case IOException failure -> of(InputFault.of(failure));
            default -> internal(e);
        };
    }

    /// What the command line could not be read as.
    private static Complaint of(ParameterException e) {
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        List<String> tries = new ArrayList<>();
        String message =
                switch (e) {
                    case UnmatchedArgumentException unmatched ->
                            unmatched(unmatched.getUnmatched(), spec, tries);
                    case MissingParameterException missing when !missing.getMissing().isEmpty() -> {
                        List<String> unknown = e.getCommandLine().getUnmatchedArguments();
                        yield unknown.isEmpty()
                                ? missing(missing.getMissing().getFirst())
                                : unmatched(unknown, spec, tries);
                    }
                    default -> String.valueOf(e.getMessage());
                };
        tries.add(spec.qualifiedName() + " --help");
        return new Complaint(message, tries);
    }

    private static String missing(ArgSpec missing) {
        String what = String.join(" ", missing.description()).replaceFirst("[.]$", "");
        return "%s is missing: %s%s"
                .formatted(
                        missing.paramLabel(),
                        what.substring(0, 1).toLowerCase(Locale.ROOT),
                        what.substring(1));
    }

    private static String unmatched(List<String> words, CommandSpec spec, List<String> tries) {
        Optional<String> option = words.stream().filter(word -> word.startsWith("-")).findFirst();
        if (option.isEmpty()) {
            return "unexpected: " + String.join(" ", words);
        }
        String[] parts = option.get().split("=", 2);
        Optional<String> near = Suggestion.nearest(parts[0], spec.optionsMap().keySet());
        near.ifPresent(
                meant ->
                        tries.add(
                                spec.qualifiedName()
                                        + " "
                                        + meant
                                        + (parts.length > 1 ? "=" + parts[1] : "")));
        return "unknown option " + parts[0];
    }

    /// An internal error: what a report of it needs, and no more.
    private static Complaint internal(Throwable e) {
        return of(
                "internal error, not a fault of your input: "
                        + e
                        + (e.getStackTrace().length > 0 ? " at " + e.getStackTrace()[0] : "")
                        + "; please report it with the command you ran");
    }

    /// Says it: as JSON on standard output where programs read that, else on standard error.
    void print(boolean json, PrintWriter out, PrintWriter err) {
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("verdict", "refused");
            object.put("complaints", List.of(message));
            object.put("tries", tries);
            out.println(Json.line(object));
            return;
        }
        err.println("heddle: " + message);
        tries.forEach(one -> err.println("try: " + one));
    }
}
