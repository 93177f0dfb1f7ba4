package dev.heddle.isa.search;

import dev.heddle.isa.Form;
import dev.heddle.isa.Qualifier;
import dev.heddle.isa.Target;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// What [FormSearch] knows, as lists: for a page that has no Java to ask.
///
/// A form is called by its place among all forms. A set of forms is a text of hexadecimal digits,
/// four forms a digit, the first in its lowest bit; equal sets are once and are called by number.
public final class SearchTable {
    private final Map<String, Integer> sets = new LinkedHashMap<>();

    private SearchTable() {}

    /// The lists by name: `words` and `targets` (meaning, types, set), `idle`, `layouts` (the sets
    /// of A and of B), `sass` (mnemonic, whether of a warpgroup, types, meaning), `padded`, `types`
    /// (those of D, A, B, C and the scale factors, with blanks between), `forms` (which types, and
    /// how plain), `sets`.
    public static Map<String, Object> document() {
        SearchTable table = new SearchTable();
        Map<String, Object> words = new LinkedHashMap<>();
        for (String word : Vocabulary.all()) {
            words.put(word, table.criterion(word));
        }
        Map<String, Object> targets = new LinkedHashMap<>();
        for (Target target : Target.all()) {
            targets.put(target.toString(), table.criterion(target.toString()));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("words", words);
        document.put("targets", targets);
        document.put("idle", List.copyOf(Vocabulary.idle()));
        document.put("layouts", Map.of("row", table.layouts("row"), "col", table.layouts("col")));
        document.put(
                "sass",
                SassName.all().stream()
                        .map(n -> List.of(n.mnemonic(), n.warpgroup(), n.types(), n.meaning()))
                        .toList());
        document.put("padded", table.set(Form::padded));
        List<String> types = new ArrayList<>();
        List<Object> forms = new ArrayList<>();
        for (Form form : KnownForms.ALL) {
            String row = String.join(" ", Vocabulary.typePlaces(form));
            if (!types.contains(row)) {
                types.add(row);
            }
            forms.add(List.of(types.indexOf(row), Ranking.plainness(form)));
        }
        document.put("types", types);
        document.put("forms", forms);
        document.put("sets", List.copyOf(table.sets.keySet()));
        return document;
    }

    private List<Object> criterion(String word) {
        Criterion criterion = Vocabulary.of(word).getFirst();
        return List.of(criterion.meaning(), criterion.types(), set(criterion.fits()));
    }

    private List<Object> layouts(String word) {
        List<Object> layouts = new ArrayList<>();
        for (Qualifier place : List.of(Qualifier.ALAYOUT, Qualifier.BLAYOUT)) {
            layouts.add(set(form -> FormSearch.isLaidOut(form, place, word)));
        }
        return layouts;
    }

    private int set(Predicate<Form> fits) {
        StringBuilder digits = new StringBuilder();
        List<Form> forms = KnownForms.ALL;
        for (int i = 0; i < forms.size(); i += 4) {
            int digit = 0;
            for (int j = i; j < Math.min(i + 4, forms.size()); j++) {
                digit |= fits.test(forms.get(j)) ? 1 << (j - i) : 0;
            }
            digits.append(Character.forDigit(digit, 16));
        }
        return sets.computeIfAbsent(digits.toString(), _ -> sets.size());
    }
}
