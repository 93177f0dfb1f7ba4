package dev.heddle.ptx;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Constant.IntegerConstant;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Reads variable declarations, parameters and initialisers (PTX ISA 5.4).
class DeclarationParser extends OperandParser {

    private static final int DEEPEST = 32;

    private static final String A_TYPE = "a type such as .b32";

    /// The manual names no bounds of these; larger ones fit into no memory.
    private static final long MOST_ELEMENTS = 1L << 40;

    private static final int LARGEST_ALIGNMENT = 1 << 20;
    private static final long LARGEST_RANGE = 1L << 30;

    DeclarationParser(Tokens tokens, Findings findings) {
        super(tokens, findings);
    }

    /// What a declaration says before the name.
    private record Head(
            StateSpace space,
            int alignment,
            int vector,
            ScalarType type,
            Variable.@Nullable Pointer pointer,
            List<String> attributes) {}

    /// A whole declaration, its semicolon included; every name in it becomes one variable.
    List<Variable> declaration(Linkage linkage) throws SyntaxError {
        Head head = head();
        List<Variable> variables = new ArrayList<>();
        do {
            Variable variable = declarator(linkage, head);
            scope().declare(variable);
            variables.add(variable);
        } while (accept(TokenKind.COMMA));
        endStatement("',' or ';' after a declared name");
        return variables;
    }

    /// Parameters in parentheses, declared in the current scope.
    List<Variable> parameters() throws SyntaxError {
        expect(TokenKind.LEFT_PARENTHESIS);
        List<Variable> parameters = new ArrayList<>();
        if (!at(TokenKind.RIGHT_PARENTHESIS)) {
            do {
                Head head = head();
                Variable parameter = declarator(Linkage.INTERNAL, head);
                scope().declare(parameter);
                parameters.add(parameter);
            } while (accept(TokenKind.COMMA));
        }
        expect(TokenKind.RIGHT_PARENTHESIS, "',' or ')' after a parameter");
        return parameters;
    }

    private Head head() throws SyntaxError {
        StateSpace space = at(TokenKind.DOTTED) ? StateSpace.of(text()) : null;
        if (space == null) {
            throw unexpected("a state space such as .reg or .param");
        }
        advance();
        int alignment = 0;
        int vector = 1;
        ScalarType type = null;
        Variable.Pointer pointer = null;
        List<String> attributes = new ArrayList<>();
        while (at(TokenKind.DOTTED)) {
            boolean outOfPlace =
                    switch (text()) {
                        case "align", "attribute" -> type != null || vector > 1;
                        case "ptr" -> type == null || pointer != null;
                        default -> type != null || (vector > 1 && text().startsWith("v"));
                    };
            if (outOfPlace) {
                throw unexpected(
                        "the declared name; the order is space, .align, vector, type, .ptr");
            }
            switch (text()) {
                case "align" -> alignment = alignment();
                case "attribute" -> attributes.addAll(attributes());
                case "ptr" -> pointer = pointer();
                case "v2", "v4", "v8" -> {
                    vector = text().charAt(1) - '0';
                    advance();
                }
                default -> type = type();
            }
        }
        if (type == null) {
            throw unexpected(A_TYPE);
        }
        return new Head(space, alignment, vector, type, pointer, attributes);
    }

    private int alignment() throws SyntaxError {
        advance();
        int token = index();
        long value = integer();
        if (value <= 0 || value > LARGEST_ALIGNMENT || Long.bitCount(value) != 1) {
            invalidAt(
                    token,
                    Rule.ALIGNMENT_NOT_A_POWER_OF_TWO,
                    "alignment %d; it must be a power of two, %d at most"
                            .formatted(value, LARGEST_ALIGNMENT),
                    "write .align 4, 8, 16 ...");
            return 0;
        }
        return (int) value;
    }

    private Variable.Pointer pointer() throws SyntaxError {
        advance();
        StateSpace space = null;
        int alignment = 0;
        while (at(TokenKind.DOTTED)) {
            if (text().equals("align")) {
                alignment = alignment();
            } else if (space == null && StateSpace.of(text()) != null) {
                space = StateSpace.of(text());
                advance();
            } else {
                break;
            }
        }
        return new Variable.Pointer(space, alignment);
    }

    /// The contents of `.attribute( ... )`, one text each.
    List<String> attributes() throws SyntaxError {
        advance();
        expect(TokenKind.LEFT_PARENTHESIS);
        List<String> attributes = new ArrayList<>();
        do {
            StringBuilder attribute =
                    new StringBuilder("." + expect(TokenKind.DOTTED, ".managed or .unified"));
            if (accept(TokenKind.LEFT_PARENTHESIS)) {
                attribute.append('(').append(integer());
                while (accept(TokenKind.COMMA)) {
                    attribute.append(", ").append(integer());
                }
                expect(TokenKind.RIGHT_PARENTHESIS);
                attribute.append(')');
            }
            attributes.add(attribute.toString());
        } while (accept(TokenKind.COMMA));
        expect(TokenKind.RIGHT_PARENTHESIS);
        return attributes;
    }

    private ScalarType type() throws SyntaxError {
        ScalarType named = ScalarType.of(text());
        if (named == null) {
            throw unexpected(A_TYPE);
        }
        advance();
        return named;
    }

    private Variable declarator(Linkage linkage, Head head) throws SyntaxError {
        SourcePosition position = position();
        String name = at(TokenKind.SINK) ? "_" : at(TokenKind.IDENTIFIER) ? text() : "";
        if (name.isEmpty()) {
            throw unexpected("the declared name");
        }
        advance();
        int range = Variable.NO_RANGE;
        if (accept(TokenKind.LESS)) {
            int token = index();
            long count = integerUpTo(TokenKind.GREATER);
            if (count < 0 || count > LARGEST_RANGE) {
                String message =
                        "%s<%d> declares %d names; at most %d"
                                .formatted(name, count, count, LARGEST_RANGE);
                throw invalidAt(token, Rule.TOO_MANY_REGISTERS, message, "write a smaller count");
            }
            range = (int) count;
        }
        List<Long> dimensions = dimensions();
        Initializer initializer = accept(TokenKind.ASSIGN) ? initializer(0) : null;
        return new Variable(
                linkage,
                head.space(),
                head.alignment(),
                head.vector(),
                head.type(),
                name,
                range,
                dimensions,
                initializer,
                head.pointer(),
                head.attributes(),
                position);
    }

    /// An integer in front of a token that is an operator elsewhere.
    private long integerUpTo(TokenKind close) throws SyntaxError {
        long value = term();
        expect(close);
        return value;
    }

    private List<Long> dimensions() throws SyntaxError {
        if (!at(TokenKind.LEFT_BRACKET)) {
            return List.of();
        }
        List<Long> dimensions = new ArrayList<>();
        while (at(TokenKind.LEFT_BRACKET)) {
            advance();
            if (accept(TokenKind.RIGHT_BRACKET)) {
                dimensions.add(Variable.UNSIZED);
                continue;
            }
            int token = index();
            long extent = integer();
            if (extent < 0 || extent > MOST_ELEMENTS) {
                throw invalidAt(
                        token,
                        Rule.NEGATIVE_ARRAY_EXTENT,
                        "array extent %d; from 0 to %d".formatted(extent, MOST_ELEMENTS),
                        "write how many elements it has");
            }
            expect(TokenKind.RIGHT_BRACKET);
            dimensions.add(extent);
            if (dimensions.size() > DEEPEST) {
                throw invalid(
                        Rule.NESTING_TOO_DEEP,
                        "an array of too many dimensions",
                        "at most " + DEEPEST,
                        "5.4.3");
            }
        }
        return dimensions;
    }

    private Initializer initializer(int depth) throws SyntaxError {
        SourcePosition position = position();
        if (depth > DEEPEST) {
            throw invalid(
                    Rule.NESTING_TOO_DEEP,
                    "an initializer nested too deep",
                    "at most " + DEEPEST + " deep",
                    "5.4.4");
        }
        if (at(TokenKind.LEFT_BRACE)) {
            advance();
            List<Initializer> elements = new ArrayList<>();
            if (!at(TokenKind.RIGHT_BRACE)) {
                do {
                    elements.add(initializer(depth + 1));
                } while (accept(TokenKind.COMMA));
            }
            expect(TokenKind.RIGHT_BRACE, "',' or '}' in the initializer");
            return new Initializer.Aggregate(elements, position);
        }
        if (at(TokenKind.IDENTIFIER) && !text().equals("WARP_SZ")) {
            return address(0, position);
        }
        if (at(TokenKind.INTEGER) && kindAfter(1) == TokenKind.LEFT_PARENTHESIS) {
            return masked(position);
        }
        return new Initializer.Value(constant(), position);
    }

    private Initializer masked(SourcePosition position) throws SyntaxError {
        IntegerConstant mask = integerLiteral(text());
        if (mask == null) {
            throw unexpected("a mask such as 0xFF00");
        }
        advance();
        advance();
        Initializer inner =
                at(TokenKind.IDENTIFIER)
                        ? address(mask.value(), position)
                        : new Initializer.Masked(mask.value(), constant(), position);
        expect(TokenKind.RIGHT_PARENTHESIS);
        return inner;
    }

    private Initializer address(long mask, SourcePosition position) throws SyntaxError {
        boolean generic = atWord("generic") && kindAfter(1) == TokenKind.LEFT_PARENTHESIS;
        long offset = 0;
        String name;
        if (generic) {
            advance();
            advance();
            name = expect(TokenKind.IDENTIFIER, "the name of a variable");
            offset += sum();
            expect(TokenKind.RIGHT_PARENTHESIS);
        } else {
            name = expect(TokenKind.IDENTIFIER, "the name of a variable");
        }
        offset += sum();
        return new Initializer.AddressOf(name, generic, offset, mask, position);
    }

    private long sum() throws SyntaxError {
        long offset = 0;
        while (at(TokenKind.PLUS) || at(TokenKind.MINUS)) {
            boolean minus = at(TokenKind.MINUS);
            advance();
            long term = term();
            offset += minus ? -term : term;
        }
        return offset;
    }
}
