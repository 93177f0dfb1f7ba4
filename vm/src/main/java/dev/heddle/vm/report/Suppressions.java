package dev.heddle.vm.report;

import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.Rule;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Findings that are known: a suppression file, one [Suppression] a line, `#` before comments.
///
/// @param all in the order of the file
public record Suppressions(List<Suppression> all) {
    /// No finding is known.
    public static final Suppressions NONE = new Suppressions(List.of());

    private static final String KERNEL = "kernel=";
    private static final String AT = "at=";

    public Suppressions {
        all = List.copyOf(all);
    }

    /// Reads a file.
    ///
    /// @param text of the file
    /// @param name by which messages call it
    /// @throws InputException that names the line and what is wrong with it
    public static Suppressions parse(String text, String name) {
        List<Suppression> all = new ArrayList<>();
        int number = 0;
        for (String whole : text.lines().toList()) {
            number++;
            int comment = whole.indexOf('#');
            String line = (comment < 0 ? whole : whole.substring(0, comment)).strip();
            if (!line.isEmpty()) {
                all.add(suppression(line, number, name + ":" + number + ": "));
            }
        }
        return new Suppressions(all);
    }

    private static Suppression suppression(String line, int number, String place) {
        String[] words = line.split("\\s+", 2);
        Rule rule = words[0].equals("*") ? null : rule(words[0], place);
        String kernel = null;
        String file = null;
        int at = 0;
        String rest = words.length == 1 ? "" : words[1];
        // The name of a template has blanks: what follows kernel= goes on to at=.
        int where = rest.startsWith(AT) ? 0 : rest.lastIndexOf(" " + AT);
        if (where >= 0) {
            String spot = rest.substring(rest.indexOf('=', where) + 1).strip();
            rest = rest.substring(0, where).strip();
            int colon = spot.lastIndexOf(':');
            Optional<Integer> stated =
                    colon < 0 ? Optional.empty() : Suppression.number(spot.substring(colon + 1));
            if (spot.isEmpty() || colon >= 0 && stated.filter(one -> one > 0).isEmpty()) {
                throw new InputException(place + AT + spot + ": expected at=FILE or at=FILE:LINE");
            }
            file = colon < 0 ? spot : spot.substring(0, colon);
            at = stated.orElse(0);
        }
        if (rest.startsWith(KERNEL) && rest.length() > KERNEL.length()) {
            kernel = rest.substring(KERNEL.length());
        } else if (!rest.isEmpty()) {
            throw new InputException(
                    place + "found " + rest + "; expected RULE [kernel=PATTERN] [at=FILE[:LINE]]");
        }
        return new Suppression(line, number, rule, kernel, file, at);
    }

    private static Rule rule(String id, String place) {
        String message = place + "no rule " + id + " (heddle explain --rules lists them; * is any)";
        return Rule.named(id).orElseThrow(() -> new InputException(message));
    }

    /// The first that means a finding, or null.
    ///
    /// @param kernel the symbol of the kernel that was launched
    @Nullable Suppression of(Finding finding, String kernel) {
        for (Suppression one : all) {
            if (one.covers(finding, kernel)) {
                return one;
            }
        }
        return null;
    }

    /// Those that no finding was passed over by.
    public List<Suppression> unused(List<Suppressed> used) {
        return all.stream()
                .filter(one -> used.stream().noneMatch(other -> other.by().equals(one)))
                .toList();
    }

    /// A finding that was passed over.
    ///
    /// @param by the line that says so
    /// @param finding the first of its kind, with how often it was found
    public record Suppressed(Suppression by, Finding finding) {}
}
