package dev.heddle.isa.search;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Legality;
import dev.heddle.isa.SourceInstruction;
import dev.heddle.isa.Violation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The matrix instructions in a source text, of PTX or of a language with inline assembly.
///
/// @param line     the line of its opcode, from 1
/// @param text     the instruction as an assembler sees it
/// @param legality what it is; empty if it could not be read
/// @param refusal  why it could not be read; empty if it could
public record SourceScan(int line, String text, Optional<Legality> legality, String refusal) {
    /// An instruction is not longer than this; the widest has some 130 registers.
    private static final int LONGEST = 8_000;

    /// More are not listed.
    private static final int MOST = 2_000;

    private static final Pattern OPCODE =
            Pattern.compile("(?<![A-Za-z0-9_$%.:])(?:mma|wgmma\\.mma_async)\\.[A-Za-z0-9_.:]+");
    private static final Pattern WORD = Pattern.compile("\\.[A-Za-z0-9_:]+");

    /// Every matrix instruction, in order; of a text with very many, the first two thousand.
    public static List<SourceScan> of(String text) {
        String code = uncommented(text);
        List<SourceScan> found = new ArrayList<>();
        Matcher matcher = OPCODE.matcher(code);
        int line = 1;
        int counted = 0;
        while (matcher.find() && found.size() < MOST) {
            for (; counted < matcher.start(); counted++) {
                line += code.charAt(counted) == '\n' ? 1 : 0;
            }
            found.add(one(line, instruction(code, matcher.start())));
        }
        return found;
    }

    /// Comments as blanks, so that places stay.
    private static String uncommented(String text) {
        StringBuilder code = new StringBuilder(text);
        for (int at = 0; at + 1 < code.length(); at++) {
            boolean line = code.charAt(at) == '/' && code.charAt(at + 1) == '/';
            boolean block = code.charAt(at) == '/' && code.charAt(at + 1) == '*';
            if (line || block) {
                int end = line ? code.indexOf("\n", at) : code.indexOf("*/", at + 2);
                end = end < 0 ? code.length() : end + (line ? 0 : 2);
                for (; at < end; at++) {
                    if (code.charAt(at) != '\n') {
                        code.setCharAt(at, ' ');
                    }
                }
                at--;
            }
        }
        return code.toString();
    }

    /// From an opcode to its semicolon, without the quotes of inline assembly; the opcode alone
    /// where the string ends before.
    private static String instruction(String code, int start) {
        String piece =
                code.substring(start, Math.min(code.length(), start + LONGEST))
                        .replaceAll("\"\\s*\"", "")
                        .replaceAll("\\\\[nt]", " ")
                        .replace("\\\n", " ");
        int quote = piece.indexOf('"');
        String inside = quote < 0 ? piece : piece.substring(0, quote);
        int semicolon = inside.indexOf(';');
        String whole = semicolon < 0 ? inside : inside.substring(0, semicolon + 1);
        return semicolon < 0 ? whole.strip().split("[\\s{]", 2)[0] : whole.replaceAll("\\s+", " ");
    }

    private static SourceScan one(int line, String text) {
        try {
            return new SourceScan(
                    line, text, Optional.of(Legality.of(SourceInstruction.parse(text))), "");
        } catch (InputException e) {
            String message = e.getMessage();
            return new SourceScan(
                    line, text, Optional.empty(), message == null ? "cannot be read" : message);
        }
    }

    /// Where what is wrong is in an instruction: of an opcode that is no form, each word in
    /// which it differs from the nearest one; else the one place of [#place].
    ///
    /// @return of each place the first character, and the one behind the last
    public static List<int[]> places(Legality legality, Violation violation, String text) {
        int[] one = place(violation, text);
        if (violation.operand() >= 0 || legality.nearest().isEmpty()) {
            return List.of(one);
        }
        int start = Math.max(0, text.indexOf(legality.nearest().getFirst().split("[.]", 2)[0]));
        String opcode = text.substring(start).split("[\\s;{]", 2)[0];
        String[] words = opcode.split("[.]", -1);
        String[] near = legality.nearest().getFirst().split("[ .]", -1);
        if (words.length != near.length) {
            return List.of(one);
        }
        List<int[]> places = new ArrayList<>();
        int at = start;
        for (int i = 0; i < words.length; i++) {
            if (!words[i].equals(near[i])) {
                places.add(new int[] {at - 1, at + words[i].length()});
            }
            at += words[i].length() + 1;
        }
        return places.isEmpty() ? List.of(one) : places;
    }

    /// Where the words of a violation are in an instruction: the qualifiers that it found, or the
    /// operand, or the whole opcode.
    ///
    /// @return the first character, and the one behind the last
    public static int[] place(Violation violation, String text) {
        Matcher words = WORD.matcher(violation.found());
        while (words.find()) {
            for (int at = text.indexOf(words.group()); at >= 0; ) {
                int end = at + words.group().length();
                if (end == text.length() || !isWordPart(text.charAt(end))) {
                    return new int[] {at, end};
                }
                at = text.indexOf(words.group(), end);
            }
        }
        int opcode = Math.max(0, text.indexOf("mma"));
        int end = opcode;
        while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        return violation.operand() < 0
                ? new int[] {opcode, end}
                : operand(text, end, violation.operand());
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == ':';
    }

    /// The operand of that index: commas in braces do not part operands.
    private static int[] operand(String text, int start, int index) {
        int depth = 0;
        int count = 0;
        int from = start;
        for (int at = start; at < text.length(); at++) {
            char c = text.charAt(at);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == ';' || c == ',' && depth == 0) {
                if (count == index) {
                    return trimmed(text, from, at);
                }
                count++;
                from = at + 1;
            }
        }
        return count == index ? trimmed(text, from, text.length()) : new int[] {0, start};
    }

    private static int[] trimmed(String text, int from, int to) {
        int first = from;
        int last = to;
        while (first < last && Character.isWhitespace(text.charAt(first))) {
            first++;
        }
        while (last > first && Character.isWhitespace(text.charAt(last - 1))) {
            last--;
        }
        return new int[] {first, last};
    }
}
