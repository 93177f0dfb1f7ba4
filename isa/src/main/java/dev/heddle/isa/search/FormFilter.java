package dev.heddle.isa.search;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Form;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/// What forms have, in the words of a search.
public final class FormFilter {
    private FormFilter() {}

    /// Forms of a shape or a part of one: `m16n8k16`, `16x8x16`, `k64`.
    ///
    /// @throws InputException if the text is no shape
    public static Predicate<Form> shape(String text) {
        return all(
                ShapeWord.of(text.toLowerCase(Locale.ROOT))
                        .map(ShapeWord::criteria)
                        .orElseThrow(
                                () ->
                                        new InputException(
                                                "shape \""
                                                        + text
                                                        + "\": expected one such as m16n8k16,"
                                                        + " 16x8x16 or k64")));
    }

    /// Forms with a matrix of a type, as PTX or others name it: `f16`, `e4m3`, `fp8`.
    ///
    /// @throws InputException if the text is no type
    public static Predicate<Form> type(String text) {
        List<Criterion> criteria = Vocabulary.of(text.toLowerCase(Locale.ROOT));
        if (criteria.isEmpty() || criteria.getFirst().types().isEmpty()) {
            throw new InputException(
                    "type \"" + text + "\": expected one such as f16, bf16, e4m3, s8 or fp8");
        }
        return all(criteria);
    }

    /// Forms of a kind: `mxf4` and its like, `sparse`, `dense`, `scaled`, `satfinite`.
    ///
    /// @throws InputException if the text is no kind
    public static Predicate<Form> kind(String text) {
        String word = text.toLowerCase(Locale.ROOT);
        List<Criterion> criteria = Vocabulary.of(word);
        if (criteria.isEmpty()
                || !criteria.getFirst().types().isEmpty()
                || ShapeWord.of(word).isPresent()) {
            throw new InputException(
                    "kind \""
                            + text
                            + "\": expected one such as mxf4, f8f6f4, sparse, dense, scaled or"
                            + " satfinite");
        }
        return all(criteria);
    }

    private static Predicate<Form> all(List<Criterion> criteria) {
        return form -> criteria.stream().allMatch(criterion -> criterion.fits().test(form));
    }
}
