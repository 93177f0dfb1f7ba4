package dev.heddle.isa.search;

import dev.heddle.isa.Form;
import dev.heddle.isa.Legality;
import dev.heddle.isa.Opcode;
import dev.heddle.isa.Qualifier;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The forms that a text asks for, best first.
///
/// @param text    the text that was looked for
/// @param asked   what its words were taken for
/// @param unknown words that were not understood, or were read as others, each with what is said of
///                it
/// @param forms   the forms that have the most of what was asked for, the plainest first; none if
///                no word was understood
public record FormSearch(String text, List<Asked> asked, List<String> unknown, List<Match> forms) {
    /// Longer texts are cut: nobody types them, and a file is read otherwise.
    private static final int LONGEST = 20_000;

    /// More words than this say nothing more.
    private static final int MOST_WORDS = 32;

    public FormSearch {
        asked = List.copyOf(asked);
        unknown = List.copyOf(unknown);
        forms = List.copyOf(forms);
    }

    /// What a word was taken for.
    ///
    /// @param word    the word
    /// @param meaning in words
    public record Asked(String word, String meaning) {}

    /// A form that was found.
    ///
    /// @param form   the form
    /// @param missed the words that it does not have; empty if it has all that was asked for
    public record Match(Form form, List<String> missed) {
        public Match {
            missed = List.copyOf(missed);
        }
    }

    /// Whether there are forms with all that was asked for.
    public boolean complete() {
        return !forms.isEmpty() && forms.getFirst().missed().isEmpty();
    }

    /// Looks for what a text says: words in any spelling and case, an opcode, inline assembly.
    public static FormSearch of(String text) {
        String plain = plain(text.length() > LONGEST ? text.substring(0, LONGEST) : text);
        List<Form> exact = exact(plain);
        if (!exact.isEmpty()) {
            List<Asked> asked =
                    List.of(new Asked(exact.getFirst().opcode(), "the opcode as written"));
            return new FormSearch(
                    text,
                    asked,
                    List.of(),
                    exact.stream().map(form -> new Match(form, List.of())).toList());
        }
        Words words = new Words();
        for (String token : plain.split("[\\s,;(){}]+", -1)) {
            words.take(token);
        }
        return new FormSearch(text, words.asked(), words.unknown, words.ranked());
    }

    /// The text without comments, quotes and escapes: what an assembler would see of it.
    private static String plain(String text) {
        String uncommented =
                text.replaceAll("//[^\\n]*", " ").replaceAll("(?s)/\\*.*?(\\*/|$)", " ");
        return uncommented
                .replaceAll("\"\\s*\"", "")
                .replaceAll("\\\\[nt]", " ")
                .replaceAll("(?i)\\band[.\\s]+popc\\b", "andpopc")
                .replaceAll("[\"'`]|->|%\\w+|\\b(asm|volatile|__asm__|__volatile__)\\b", " ");
    }

    /// The forms of every opcode in a text, as they are there; none if one is not legal.
    private static List<Form> exact(String text) {
        Set<Form> forms = new LinkedHashSet<>();
        for (String token : text.replace("andpopc", "and.popc").split("[\\s,;(){}]+", -1)) {
            String opcode = token.startsWith(".") ? token.substring(1) : token;
            if (Opcode.isMatrixOpcode(opcode.toLowerCase(Locale.ROOT)) && opcode.contains(".")) {
                Legality legality = Legality.ofOpcode(cased(opcode));
                if (legality.forms().isEmpty()) {
                    return List.of();
                }
                forms.addAll(legality.forms());
            }
        }
        return List.copyOf(forms);
    }

    /// Opcodes are written in small letters but for `.scale_vec::2X`.
    private static String cased(String opcode) {
        String small = opcode.toLowerCase(Locale.ROOT);
        return small.replace("::1x", "::1X").replace("::2x", "::2X").replace("::4x", "::4X");
    }

    /// Whether an operand is laid out so, or in the one way that there is.
    static boolean isLaidOut(Form form, Qualifier place, String word) {
        return form.word(place).isEmpty() || form.word(place).equals(word);
    }

    /// The words of a text as they are taken.
    private static final class Words {
        private final List<Criterion> criteria = new ArrayList<>();
        private final List<String> unknown = new ArrayList<>();
        private final List<String> types = new ArrayList<>();
        private final Set<String> words = new HashSet<>();

        void take(String token) {
            if (token.isEmpty() || criteria.size() >= MOST_WORDS) {
                return;
            }
            Optional<SassWords> sass = SassWords.of(token);
            if (sass.isPresent()) {
                criteria.addAll(sass.get().criteria());
                sass.get().unknown().forEach(this::unknown);
                return;
            }
            for (String word : token.toLowerCase(Locale.ROOT).split("[.\\s]+", -1)) {
                if (!word.isEmpty() && !Vocabulary.idle(word) && criteria.size() < MOST_WORDS) {
                    word(word);
                }
            }
        }

        private void word(String word) {
            List<Criterion> known = Vocabulary.of(word);
            known.forEach(this::add);
            if (!known.isEmpty() || layout(word)) {
                return;
            }
            Optional<String> near = Vocabulary.nearest(word);
            near.map(Vocabulary::of).orElse(List.of()).forEach(this::add);
            unknown.add(
                    near.map(other -> "\"" + word + "\" was read as \"" + other + "\"")
                            .orElse("\"" + word + "\" was not understood"));
        }

        /// The first of two layouts is A's, the second B's.
        private boolean layout(String word) {
            if (!word.equals("row") && !word.equals("col")) {
                return false;
            }
            boolean second = words.contains("layout of A");
            Qualifier place = second ? Qualifier.BLAYOUT : Qualifier.ALAYOUT;
            criteria.add(
                    new Criterion(
                            word,
                            (second ? "B" : "A") + " by ." + word,
                            form -> isLaidOut(form, place, word)));
            words.add("layout of A");
            return true;
        }

        private void unknown(String word) {
            unknown.add("\"" + word + "\" was not understood");
        }

        private void add(Criterion criterion) {
            words.add(criterion.word());
            boolean again = criteria.stream().anyMatch(c -> c.word().equals(criterion.word()));
            if (!again) {
                criteria.add(criterion);
            }
            if (criterion.types().size() == 1 || !again) {
                types.addAll(criterion.types());
            }
        }

        List<Asked> asked() {
            return criteria.stream().map(c -> new Asked(c.word(), c.meaning())).toList();
        }

        List<Match> ranked() {
            if (criteria.isEmpty()) {
                return List.of();
            }
            int fewest = criteria.size();
            List<Match> nearest = new ArrayList<>();
            for (Form form : KnownForms.ALL) {
                List<String> missed = missed(form, fewest);
                if (missed.size() < fewest) {
                    fewest = missed.size();
                    nearest.clear();
                }
                if (missed.size() == fewest && fewest < criteria.size()) {
                    nearest.add(new Match(form, missed));
                }
            }
            Ranking ranking = new Ranking(words, types);
            return nearest.stream()
                    .map(match -> new Ranked(match, ranking.surprise(match.form())))
                    .sorted(Comparator.comparingInt(Ranked::surprise))
                    .map(Ranked::match)
                    .toList();
        }

        /// The words that a form does not have; no more than one over `most` are looked for.
        private List<String> missed(Form form, int most) {
            List<String> missed = new ArrayList<>();
            for (Criterion criterion : criteria) {
                if (missed.size() <= most && !criterion.fits().test(form)) {
                    missed.add(criterion.word());
                }
            }
            return missed;
        }
    }

    private record Ranked(Match match, int surprise) {}
}
