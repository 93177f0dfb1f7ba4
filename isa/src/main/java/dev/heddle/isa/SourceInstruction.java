package dev.heddle.isa;

import dev.heddle.formats.InputException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A matrix instruction as written in source, or its opcode alone.
///
/// @param predicate the guard, as `@!%p1`; empty if there is none
/// @param opcode    the opcode
/// @param operands  the operands in order; absent if only an opcode was written
public record SourceInstruction(
        String predicate, String opcode, Optional<List<SourceOperand>> operands) {

    /// Reads `mma.sync… {%d0, %d1}, {%a0}, {%b0}, {%c0, %c1};` or a bare opcode. White space and
    /// line ends are free; the closing semicolon may be left out.
    ///
    /// @throws InputException if the text has no such shape; the message names the column
    public static SourceInstruction parse(String text) {
        return new Reader(text).read();
    }

    /// A recursive-descent reader over one instruction.
    private static final class Reader {
        private static final int LIMIT = 100_000;

        private final String text;
        private int at;

        Reader(String text) {
            if (text.length() > LIMIT) {
                throw new InputException(
                        "an instruction of "
                                + text.length()
                                + " characters: expected at most "
                                + LIMIT);
            }
            this.text = text;
        }

        SourceInstruction read() {
            skipBlanks();
            String predicate = !atEnd() && peek() == '@' ? guard() : "";
            String opcode = word();
            if (opcode.isEmpty()) {
                throw refusal(
                        "an opcode such as mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
            }
            skipBlanks();
            if (atEnd() || peek() == ';') {
                end();
                return new SourceInstruction(predicate, opcode, Optional.empty());
            }
            List<SourceOperand> operands = list();
            end();
            return new SourceInstruction(predicate, opcode, Optional.of(operands));
        }

        private String guard() {
            int start = at++;
            if (!atEnd() && peek() == '!') {
                at++;
            }
            word();
            skipBlanks();
            return text.substring(start, at).strip();
        }

        private List<SourceOperand> list() {
            List<SourceOperand> operands = new ArrayList<>();
            operands.add(operand());
            while (!atEnd() && peek() == ',') {
                at++;
                operands.add(operand());
            }
            return operands;
        }

        private SourceOperand operand() {
            skipBlanks();
            if (atEnd()) {
                throw refusal("an operand");
            }
            SourceOperand operand =
                    switch (peek()) {
                        case '{' -> vector();
                        case '[' -> address();
                        case '!' -> {
                            at++;
                            yield new SourceOperand.Register(word(), Optional.empty(), true);
                        }
                        default -> scalar();
                    };
            skipBlanks();
            return operand;
        }

        private SourceOperand vector() {
            at++;
            List<SourceOperand> elements = new ArrayList<>();
            skipBlanks();
            while (!atEnd() && peek() != '}') {
                if (peek() == '{') {
                    throw refusal("a register; vectors do not nest");
                }
                elements.add(operand());
                if (!atEnd() && peek() == ',') {
                    at++;
                    skipBlanks();
                } else if (atEnd() || peek() != '}') {
                    throw refusal("',' or '}'");
                }
            }
            if (atEnd()) {
                throw refusal("'}'");
            }
            at++;
            return new SourceOperand.Vector(elements);
        }

        private SourceOperand address() {
            int close = text.indexOf(']', at);
            if (close < 0) {
                throw refusal("']'");
            }
            String address = text.substring(at, close + 1);
            at = close + 1;
            return new SourceOperand.Other(address);
        }

        private SourceOperand scalar() {
            int start = at;
            boolean negative = peek() == '-';
            if (negative) {
                at++;
            }
            String word = word();
            if (word.isEmpty()) {
                throw refusal("a register, a constant or a vector in braces");
            }
            if (word.equals("_")) {
                return new SourceOperand.Sink();
            }
            if (!Character.isDigit(word.charAt(0))) {
                return new SourceOperand.Register(
                        text.substring(start, at), Optional.empty(), false);
            }
            return number(word, negative);
        }

        private static SourceOperand number(String word, boolean negative) {
            try {
                String digits = word.endsWith("U") ? word.substring(0, word.length() - 1) : word;
                long value;
                if (digits.startsWith("0x") || digits.startsWith("0X")) {
                    value = Long.parseUnsignedLong(digits.substring(2), 16);
                } else if (digits.startsWith("0b") || digits.startsWith("0B")) {
                    value = Long.parseUnsignedLong(digits.substring(2), 2);
                } else if (digits.length() > 1 && digits.startsWith("0")) {
                    value = Long.parseUnsignedLong(digits.substring(1), 8);
                } else {
                    value = Long.parseLong(digits);
                }
                return new SourceOperand.IntegerConstant(negative ? -value : value);
            } catch (NumberFormatException e) {
                return new SourceOperand.FloatConstant((negative ? "-" : "") + word);
            }
        }

        /// The longest run of characters of names, opcodes and numbers.
        private String word() {
            int start = at;
            while (!atEnd() && isWordPart(peek())) {
                at++;
            }
            return text.substring(start, at);
        }

        private static boolean isWordPart(char c) {
            return Character.isLetterOrDigit(c) || "._%$:".indexOf(c) >= 0;
        }

        private void end() {
            skipBlanks();
            if (!atEnd() && peek() == ';') {
                at++;
            }
            skipBlanks();
            if (!atEnd()) {
                throw refusal("the end of the instruction");
            }
        }

        private void skipBlanks() {
            while (!atEnd() && (Character.isWhitespace(peek()) || peek() == '\\')) {
                at++;
            }
        }

        private char peek() {
            return text.charAt(at);
        }

        private boolean atEnd() {
            return at >= text.length();
        }

        private IllegalArgumentException refusal(String expected) {
            String found =
                    atEnd()
                            ? "the end"
                            : "\"" + text.substring(at, Math.min(text.length(), at + 12)) + "\"";
            return new InputException(
                    "column " + (at + 1) + ": found " + found + ", expected " + expected);
        }
    }
}
