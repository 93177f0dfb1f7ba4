package dev.heddle.ptx;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// One change at one place of a PTX text, drawn from a seed.
///
/// @param kind what was done
/// @param line where, from 1
/// @param text the whole text with the change in it
/// @param changed the changed line
public record Mutation(Kind kind, int line, String text, String changed) {

    /// What may be done to a token.
    public enum Kind {
        DELETE,
        DOUBLE,
        SWAP,
        CHANGE_TYPE,
        RENAME_REGISTER,
        CHANGE_NUMBER,
        RENAME_NAME
    }

    private static final List<String> TYPES =
            List.of(
                    "b8", "b16", "b32", "b64", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64",
                    "f16", "f16x2", "bf16", "f32", "f64", "pred");

    /// A change of the text that leaves its header alone.
    public static Mutation of(String text, SplittableRandom random) {
        Tokens tokens = Lexer.tokens(new SourceText("mutant.ptx", text));
        int first = 0;
        while (first < tokens.count() && !body(tokens, first)) {
            first++;
        }
        int count = tokens.count() - 1;
        while (true) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            int token = first + random.nextInt(count - first);
            Mutation mutation = apply(kind, token, first, count, tokens, text, random);
            if (mutation != null) {
                return mutation;
            }
        }
    }

    /// The token behind `.address_size 64`.
    private static boolean body(Tokens tokens, int token) {
        return token > 1
                && tokens.kind(token - 2) == TokenKind.DOTTED
                && tokens.text(token - 2).equals("address_size");
    }

    private static @org.jspecify.annotations.Nullable Mutation apply(
            Kind kind,
            int token,
            int first,
            int count,
            Tokens tokens,
            String text,
            SplittableRandom random) {
        int start = tokens.start(token);
        int end = tokens.end(token);
        String word = text.substring(start, end);
        return switch (kind) {
            case DELETE -> made(kind, tokens.line(token), text, start, end, "");
            case DOUBLE -> made(kind, tokens.line(token), text, end, end, separator(word) + word);
            case SWAP -> {
                if (token + 1 >= count) {
                    yield null;
                }
                int nextStart = tokens.start(token + 1);
                int nextEnd = tokens.end(token + 1);
                String next = text.substring(nextStart, nextEnd);
                yield next.equals(word)
                        ? null
                        : made(
                                kind,
                                tokens.line(token),
                                text,
                                start,
                                nextEnd,
                                next + text.substring(end, nextStart) + word);
            }
            case CHANGE_TYPE -> {
                if (tokens.kind(token) != TokenKind.DOTTED || !TYPES.contains(word.substring(1))) {
                    yield null;
                }
                String other = TYPES.get(random.nextInt(TYPES.size()));
                yield word.equals("." + other)
                        ? null
                        : made(kind, tokens.line(token), text, start, end, "." + other);
            }
            case RENAME_REGISTER -> {
                if (tokens.kind(token) != TokenKind.IDENTIFIER || word.charAt(0) != '%') {
                    yield null;
                }
                List<String> registers = registers(tokens, first, count, text);
                registers.add("%nosuch");
                String other = registers.get(random.nextInt(registers.size()));
                yield word.equals(other)
                        ? null
                        : made(kind, tokens.line(token), text, start, end, other);
            }
            case CHANGE_NUMBER -> {
                if (tokens.kind(token) != TokenKind.INTEGER) {
                    yield null;
                }
                String other =
                        List.of("0", "1", "3", "7", "16", "33", "255", "65536", "-1", "1.0")
                                .get(random.nextInt(10));
                yield word.equals(other)
                        ? null
                        : made(kind, tokens.line(token), text, start, end, other);
            }
            case RENAME_NAME -> {
                boolean name = tokens.kind(token) == TokenKind.IDENTIFIER && word.charAt(0) != '%';
                yield name ? made(kind, tokens.line(token), text, start, end, word + "x") : null;
            }
        };
    }

    private static String separator(String word) {
        return word.charAt(0) == '.' || !Character.isLetterOrDigit(word.charAt(word.length() - 1))
                ? ""
                : " ";
    }

    private static List<String> registers(Tokens tokens, int first, int count, String text) {
        List<String> registers = new ArrayList<>();
        for (int i = first; i < count; i++) {
            if (tokens.kind(i) == TokenKind.IDENTIFIER && text.charAt(tokens.start(i)) == '%') {
                registers.add(text.substring(tokens.start(i), tokens.end(i)));
            }
        }
        return registers;
    }

    private static Mutation made(
            Kind kind, int line, String text, int start, int end, String replacement) {
        String changed = text.substring(0, start) + replacement + text.substring(end);
        String shown = new SourceText("", changed).line(line).strip();
        return new Mutation(kind, line, changed, shown);
    }
}
