package dev.heddle.isa.search;

import dev.heddle.isa.Form;

import java.util.List;
import java.util.function.Predicate;

/// One thing that is asked of a form.
///
/// @param word    the word as it was written
/// @param meaning what it was taken for, in words
/// @param fits    whether a form has it
/// @param types   the element types it names, as PTX writes them; empty if it names none
record Criterion(String word, String meaning, Predicate<Form> fits, List<String> types) {
    Criterion {
        types = List.copyOf(types);
    }

    Criterion(String word, String meaning, Predicate<Form> fits) {
        this(word, meaning, fits, List.of());
    }
}
