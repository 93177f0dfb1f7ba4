package dev.heddle.isa.search;

import dev.heddle.isa.Form;

import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/// What a Tab makes of the beginning of an opcode.
///
/// An opcode grows by one qualifier a Tab, as a path grows by one folder; where there is no choice,
/// by several. A word that begins no opcode, such as `f16.16x8x16`, becomes the form that it asks
/// for.
public final class OpcodeCompletion {
    private static final List<String> OPCODES =
            KnownForms.ALL.stream().map(Form::opcode).distinct().toList();

    private OpcodeCompletion() {}

    /// The words that may follow: whole opcodes, and beginnings that end in a dot.
    public static List<String> of(String word) {
        TreeSet<String> next = new TreeSet<>();
        for (String opcode : OPCODES) {
            if (opcode.startsWith(word)) {
                int dot = opcode.indexOf('.', word.length());
                next.add(dot < 0 ? opcode : opcode.substring(0, dot + 1));
            }
        }
        if (next.size() == 1 && next.first().endsWith(".")) {
            return of(next.first());
        }
        return next.isEmpty() ? asked(word.toLowerCase(Locale.ROOT)) : List.copyOf(next);
    }

    private static List<String> asked(String word) {
        FormSearch search = FormSearch.of(word);
        return search.complete() && search.unknown().isEmpty()
                ? List.of(search.forms().getFirst().form().opcode())
                : List.of();
    }
}
