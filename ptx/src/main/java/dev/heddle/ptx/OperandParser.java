package dev.heddle.ptx;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Operand.Address;
import dev.heddle.ptx.Operand.AddressList;
import dev.heddle.ptx.Operand.Arguments;
import dev.heddle.ptx.Operand.Element;
import dev.heddle.ptx.Operand.Immediate;
import dev.heddle.ptx.Operand.Negated;
import dev.heddle.ptx.Operand.Pair;
import dev.heddle.ptx.Operand.Register;
import dev.heddle.ptx.Operand.Sink;
import dev.heddle.ptx.Operand.SpecialRegister;
import dev.heddle.ptx.Operand.Symbol;
import dev.heddle.ptx.Operand.Vector;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Reads operands and resolves their names (PTX ISA 6).
class OperandParser extends ConstantParser {

    private static final int MOST_ELEMENTS = 1024;

    private VariableScope scope = new VariableScope(null);

    OperandParser(Tokens tokens, Findings findings) {
        super(tokens, findings);
    }

    VariableScope scope() {
        return scope;
    }

    void openScope() {
        scope = new VariableScope(scope);
    }

    void closeScope() {
        VariableScope parent = scope.parent();
        scope = parent == null ? scope : parent;
    }

    /// One operand; `p|q` is one.
    Operand operand() throws SyntaxError {
        Operand first = single();
        if (!at(TokenKind.OR)
                || !(first instanceof Register
                        || first instanceof Sink
                        || first instanceof Vector
                        || first instanceof Symbol)) {
            return first;
        }
        advance();
        return new Pair(first, single(), first.position());
    }

    private Operand single() throws SyntaxError {
        SourcePosition position = position();
        return switch (kind()) {
            case SINK -> {
                advance();
                yield new Sink(position);
            }
            case LEFT_BRACE -> new Vector(list(TokenKind.RIGHT_BRACE), position);
            case LEFT_BRACKET -> brackets(position);
            case NOT, MINUS -> {
                if (kindAfter(1) != TokenKind.IDENTIFIER || isConstantName(1)) {
                    yield new Immediate(constant(), position);
                }
                char operator = at(TokenKind.NOT) ? '!' : '-';
                advance();
                yield new Negated(operator, named(), position);
            }
            case IDENTIFIER ->
                    isConstantName(0) ? new Immediate(constant(), position) : namedAndMore();
            case INTEGER, FLOAT, SINGLE, DOUBLE, LEFT_PARENTHESIS, PLUS, COMPLEMENT ->
                    new Immediate(constant(), position);
            case DOTTED -> {
                if (Character.isDigit(text().charAt(0))) {
                    yield new Immediate(constant(), position);
                }
                throw unexpected("an operand");
            }
            default -> throw unexpected("an operand");
        };
    }

    private boolean isConstantName(int distance) {
        return tokens().text(index() + distance).equals("WARP_SZ");
    }

    /// The elements up to a closing token, the opening one not yet taken.
    private List<Operand> list(TokenKind close) throws SyntaxError {
        advance();
        List<Operand> elements = new ArrayList<>();
        if (!at(close)) {
            elements.add(element());
            while (accept(TokenKind.COMMA)) {
                elements.add(element());
                if (elements.size() > MOST_ELEMENTS) {
                    throw invalid(
                            Rule.TOO_MANY_ELEMENTS,
                            "a list of more than " + MOST_ELEMENTS + " operands",
                            "no instruction takes so many; is a brace missing?",
                            "6.4.3");
                }
            }
        }
        expect(close);
        return elements;
    }

    /// An element of a list: lists do not nest, so neither does this.
    private Operand element() throws SyntaxError {
        if (at(TokenKind.LEFT_BRACE) || at(TokenKind.LEFT_BRACKET)) {
            throw unexpected("a register, a name, a constant or '_'");
        }
        return single();
    }

    /// The parenthesised arguments of a call.
    Arguments arguments() throws SyntaxError {
        SourcePosition position = position();
        return new Arguments(list(TokenKind.RIGHT_PARENTHESIS), position);
    }

    /// A name with its component: a register, a special register or a symbol without offset.
    Operand named() throws SyntaxError {
        SourcePosition position = position();
        String name = expect(TokenKind.IDENTIFIER, "a name");
        String component = null;
        if (at(TokenKind.DOTTED)) {
            component = text();
            advance();
        }
        return resolve(name, component, position);
    }

    private Operand resolve(String name, @Nullable String component, SourcePosition position) {
        Variable variable = scope.find(name);
        if (variable != null && variable.space() != StateSpace.REG) {
            return new Symbol(name, 0, variable, position);
        }
        if (variable == null && SpecialRegisters.isSpecial(name)) {
            return new SpecialRegister(name, component, position);
        }
        if (variable != null || component != null || name.charAt(0) == '%') {
            return new Register(name, component, variable, position);
        }
        return new Symbol(name, 0, null, position);
    }

    /// A name as a whole operand: an array element or an offset may follow.
    private Operand namedAndMore() throws SyntaxError {
        Operand base = named();
        if (!(base instanceof Symbol symbol)) {
            return base;
        }
        if (at(TokenKind.LEFT_BRACKET)) {
            return element(symbol);
        }
        long offset = offset();
        return offset == 0
                ? symbol
                : new Symbol(symbol.name(), offset, symbol.variable(), symbol.position());
    }

    /// `+ 4`, `+ -4`: the grammar has no minus between a base and its offset.
    private long offset() throws SyntaxError {
        long offset = 0;
        while (accept(TokenKind.PLUS)) {
            offset += term();
        }
        if (at(TokenKind.MINUS)) {
            throw invalid(Rule.MINUS_BEFORE_OFFSET, "'-' behind a name", "write +-4 instead of -4");
        }
        return offset;
    }

    private Element element(Symbol array) throws SyntaxError {
        advance();
        Register index = null;
        long offset;
        if (at(TokenKind.IDENTIFIER) && !isConstantName(0)) {
            if (!(named() instanceof Register register)) {
                throw unexpected("a register or a constant as the index");
            }
            index = register;
            offset = offset();
        } else {
            offset = integer();
        }
        expect(TokenKind.RIGHT_BRACKET);
        return new Element(array, index, offset, array.position());
    }

    private Operand brackets(SourcePosition position) throws SyntaxError {
        advance();
        Address first = base(position);
        if (!at(TokenKind.COMMA)) {
            expect(TokenKind.RIGHT_BRACKET);
            if (atDotted("unified")) {
                advance();
                return new Address(first.base(), first.offset(), first.displaced(), true, position);
            }
            return first;
        }
        List<Operand> parts = new ArrayList<>();
        parts.add(first);
        while (accept(TokenKind.COMMA)) {
            if (at(TokenKind.LEFT_BRACKET)) {
                throw unexpected("coordinates");
            }
            parts.add(operand());
            if (parts.size() > MOST_ELEMENTS) {
                throw invalid(Rule.TOO_MANY_ELEMENTS, "too many coordinates", "at most 5");
            }
        }
        expect(TokenKind.RIGHT_BRACKET);
        return new AddressList(parts, position);
    }

    private Address base(SourcePosition position) throws SyntaxError {
        if (at(TokenKind.IDENTIFIER) && !isConstantName(0)) {
            Operand base = named();
            if (base instanceof Symbol symbol && at(TokenKind.LEFT_BRACKET)) {
                return new Address(element(symbol), 0, false, false, position);
            }
            boolean displaced = at(TokenKind.PLUS);
            return new Address(base, offset(), displaced, false, position);
        }
        SourcePosition start = position();
        return new Address(new Immediate(constant(), start), 0, false, false, position);
    }
}
