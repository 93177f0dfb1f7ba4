package dev.heddle.isa;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads syntax in the manual's own notation.
///
/// A block is syntax lines followed by the lists that their names stand for; blank lines and
/// headings part blocks. A line, and each word of a list, may end with what it requires. A word may
/// be optional (`{.satfinite}`), several are together or not at all (`{.sem.scope}`), and a list
/// may count on (`8, 16 .. 256`):
///
/// ```
/// 9.7.1.1 ADD
/// add.type  d, a, b;
/// add{.sat}.s32  d, a, b;
/// .type = {.u16, .u32, .s16x2 [8.0 sm_90]};
/// ```
///
/// [Requirement#parse] reads what is in brackets. A heading begins with a digit: the section,
/// and what else the reader of the lines makes of it.
public final class Notation {

    /// One word of a list.
    ///
    /// @param word without its dot
    /// @param requirement what it asks for, or null
    public record Choice(String word, @Nullable Requirement requirement) {}

    /// The place of one qualifier.
    ///
    /// @param name of the list, or the qualifier itself where only one may appear here
    /// @param choices what may appear here
    /// @param optional whether nothing may
    /// @param group places of one number (not 0) are filled together or not at all
    public record Place(String name, List<Choice> choices, boolean optional, int group) {
        public Place {
            choices = List.copyOf(choices);
        }

        /// The words that may appear here, in order.
        public List<String> words() {
            List<String> words = new ArrayList<>();
            for (Choice choice : choices) {
                words.add(choice.word);
            }
            return words;
        }
    }

    /// One syntax line.
    ///
    /// @param heading the last one before it, or an empty text
    /// @param opcode its first word
    /// @param places of the qualifiers, in order
    /// @param operands as written
    /// @param requirement what the whole line asks for, or null
    /// @param text as written, up to its semicolon
    public record Line(
            String heading,
            String opcode,
            List<Place> places,
            List<String> operands,
            @Nullable Requirement requirement,
            String text) {
        public Line {
            places = List.copyOf(places);
            operands = List.copyOf(operands);
        }
    }

    private final String heading;
    private final Map<String, List<Choice>> lists;
    private final List<String> lines = new ArrayList<>();
    private int groups;

    private Notation(String heading, Map<String, List<Choice>> common) {
        this.heading = heading;
        this.lists = new HashMap<>(common);
    }

    /// The lines of a text, in order.
    public static List<Line> read(String text) {
        return read(text, Map.of());
    }

    /// The lists of a text, by name.
    public static Map<String, List<Choice>> lists(String text) {
        Notation notation = new Notation("", Map.of());
        for (String line : text.strip().split("\n", -1)) {
            notation.add(line);
        }
        return Map.copyOf(notation.lists);
    }

    /// The lines of a text, in order.
    ///
    /// @param common lists that every block may use, as [#lists] gives them
    public static List<Line> read(String text, Map<String, List<Choice>> common) {
        List<Line> read = new ArrayList<>();
        Notation block = new Notation("", common);
        for (String line : text.strip().split("\n", -1)) {
            boolean begins = !line.isEmpty() && Character.isDigit(line.charAt(0));
            if (begins || line.isBlank()) {
                block.finish(read);
                block = new Notation(begins ? line.strip() : block.heading, common);
            } else {
                block.add(line);
            }
        }
        block.finish(read);
        return read;
    }

    private void add(String line) {
        int equals = line.indexOf(" = {");
        if (equals < 0) {
            lines.add(line.strip());
        } else {
            String name = bare(line.substring(0, equals));
            lists.put(name, choices(line.substring(equals + 4, line.indexOf('}', equals))));
        }
    }

    private void finish(List<Line> read) {
        for (String line : lines) {
            read.add(line(line));
        }
    }

    /// `.a, .b [8.0 sm_90]` or `8, 16 .. 256` as a list without dots.
    private static List<Choice> choices(String text) {
        List<Choice> choices = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int dots = part.indexOf(" .. ");
            String first = dots < 0 ? part : part.substring(0, dots);
            choices.add(choice(first));
            if (dots >= 0) {
                int end = Integer.parseInt(part.substring(dots + 4).strip());
                int last = Integer.parseInt(first.strip());
                int step = last - Integer.parseInt(choices.get(choices.size() - 2).word);
                for (int next = last + step; next <= end; next += step) {
                    choices.add(new Choice(String.valueOf(next), null));
                }
            }
        }
        return choices;
    }

    private static Choice choice(String text) {
        int bracket = text.indexOf('[');
        return bracket < 0
                ? new Choice(bare(text), null)
                : new Choice(bare(text.substring(0, bracket)), requirement(text, bracket));
    }

    private static Requirement requirement(String text, int bracket) {
        return Requirement.parse(text.substring(bracket + 1, text.indexOf(']', bracket)));
    }

    private static String bare(String value) {
        String stripped = value.strip();
        return stripped.startsWith(".") ? stripped.substring(1) : stripped;
    }

    private Line line(String line) {
        int semicolon = line.indexOf(';');
        int bracket = line.indexOf('[', semicolon);
        String text = line.substring(0, semicolon);
        int end = mnemonicEnd(text);
        String mnemonic = text.substring(0, end);
        List<String> operands = new ArrayList<>();
        if (end < text.length()) {
            for (String operand : text.substring(end).split(",", -1)) {
                operands.add(operand.strip());
            }
        }
        int opcode = wordEnd(mnemonic, 0);
        return new Line(
                heading,
                mnemonic.substring(0, opcode),
                places(mnemonic, opcode),
                operands,
                bracket < 0 ? null : requirement(line, bracket),
                line.substring(0, semicolon + 1));
    }

    /// The mnemonic ends at the first space outside braces.
    private static int mnemonicEnd(String text) {
        boolean inside = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            inside = c == '{' || (inside && c != '}');
            if (c == ' ' && !inside) {
                return i;
            }
        }
        return text.length();
    }

    private static int wordEnd(String mnemonic, int from) {
        int end = from;
        while (end < mnemonic.length() && ".{".indexOf(mnemonic.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private List<Place> places(String mnemonic, int from) {
        List<Place> places = new ArrayList<>();
        int i = from;
        while (i < mnemonic.length()) {
            if (mnemonic.charAt(i) == '{') {
                int close = mnemonic.indexOf('}', i);
                optional(mnemonic.substring(i + 1, close), places);
                i = close + 1;
            } else {
                int end = wordEnd(mnemonic, i + 1);
                places.add(place(mnemonic.substring(i + 1, end), false, 0, null));
                i = end;
            }
        }
        return places;
    }

    /// `.sem.scope [8.0 sm_80]`, as it is in braces.
    private void optional(String inner, List<Place> places) {
        int bracket = inner.indexOf('[');
        Requirement requirement = bracket < 0 ? null : requirement(inner, bracket);
        String words = bracket < 0 ? inner : inner.substring(0, bracket);
        String[] names = bare(words).split("\\.", -1);
        int group = names.length > 1 ? ++groups : 0;
        for (String name : names) {
            places.add(place(name, true, group, requirement));
        }
    }

    private Place place(
            String name, boolean optional, int group, @Nullable Requirement requirement) {
        List<Choice> choices = new ArrayList<>();
        for (Choice choice : lists.getOrDefault(name, List.of(new Choice(name, null)))) {
            for (String word : counted(choice.word)) {
                choices.add(
                        new Choice(word, requirement == null ? choice.requirement : requirement));
            }
        }
        return new Place(name, choices, optional, group);
    }

    /// A word with the name of the list `N` in it stands for one word for each of its numbers:
    /// `m64nNk16`.
    private List<String> counted(String word) {
        List<Choice> numbers = lists.get("N");
        if (numbers == null || word.indexOf('N') < 0) {
            return List.of(word);
        }
        List<String> words = new ArrayList<>();
        for (Choice number : numbers) {
            words.add(word.replace("N", number.word));
        }
        return words;
    }
}
