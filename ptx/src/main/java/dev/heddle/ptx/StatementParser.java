package dev.heddle.ptx;

import dev.heddle.isa.rule.Rule;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Reads the statements of a body, going on behind each that cannot be read.
class StatementParser extends DeclarationParser {
    /// What may stand between a function's header and its body (PTX ISA 11.4, 11.7, 11.8).
    private static final String DIRECTIVES =
            " maxnreg maxntid reqntid minnctapersm maxnctapersm noreturn abi_preserve"
                    + " abi_preserve_control reqnctapercluster explicitcluster maxclusterrank"
                    + " blocksareclusters ";

    private static final int DEEPEST = 256;
    private static final int MOST_QUALIFIERS = 64;
    private static final int MOST_OPERANDS = 64;

    private int depth;

    StatementParser(Tokens tokens, Findings findings) {
        super(tokens, findings);
    }

    /// A body in braces, in the current scope.
    Statement.Block body() {
        SourcePosition position = position();
        int open = index();
        advance();
        List<Statement> statements = new ArrayList<>();
        while (!at(TokenKind.RIGHT_BRACE)) {
            if (at(TokenKind.END)) {
                if (!endsInside()) {
                    invalidAt(open, Rule.UNCLOSED_BRACE, "this '{' is never closed", "add '}'");
                }
                return new Statement.Block(statements, position);
            }
            LoadLimit.check();
            int before = index();
            try {
                startStatement();
                statement(statements);
            } catch (SyntaxError _) {
                skipStatement();
                if (findings().isFull()) {
                    moveTo(tokens().count() - 1);
                    return new Statement.Block(statements, position);
                }
            }
            if (index() == before && !at(TokenKind.RIGHT_BRACE)) {
                advance();
            }
        }
        advance();
        return new Statement.Block(statements, position);
    }

    private void statement(List<Statement> statements) throws SyntaxError {
        switch (kind()) {
            case LEFT_BRACE -> statements.add(nested());
            case DOTTED -> directive(statements);
            case IDENTIFIER -> {
                if (kindAfter(1) == TokenKind.COLON) {
                    statements.add(labelled());
                } else {
                    statements.add(instruction(null));
                }
            }
            case AT -> statements.add(guarded());
            default -> throw unexpected("an instruction, a label, a directive or '}'");
        }
    }

    private Statement.Block nested() throws SyntaxError {
        if (depth >= DEEPEST) {
            SyntaxError error =
                    invalid(
                            Rule.NESTING_TOO_DEEP,
                            "blocks nested deeper than " + DEEPEST,
                            "close some",
                            "4.3");
            moveTo(tokens().count() - 1);
            throw error;
        }
        depth++;
        openScope();
        Statement.Block block = body();
        closeScope();
        depth--;
        return block;
    }

    private void directive(List<Statement> statements) throws SyntaxError {
        String word = text();
        switch (word) {
            case "loc" -> statements.add(location());
            case "pragma" -> statements.add(pragma());
            case "branchtargets", "calltargets", "callprototype" ->
                    throw invalid(
                            Rule.MISSING_LABEL,
                            "." + word + " without a label",
                            "write  name: ." + word + " ...");
            default -> {
                if (Linkage.of(word) != null) {
                    throw invalid(
                            Rule.LINKAGE_IN_FUNCTION,
                            "." + word + " inside a function",
                            "linkage belongs to declarations at module level");
                }
                if (StateSpace.of(word) != null) {
                    statements.addAll(declaration(Linkage.INTERNAL));
                } else {
                    throw unexpected("an instruction, a declaration or '}'");
                }
            }
        }
    }

    private Statement labelled() throws SyntaxError {
        SourcePosition position = position();
        String name = text();
        advance();
        advance();
        if (atDotted("branchtargets") || atDotted("calltargets")) {
            boolean branch = text().equals("branchtargets");
            advance();
            List<Operand.Symbol> targets = targets();
            expect(TokenKind.SEMICOLON);
            return branch
                    ? new Statement.BranchTargets(name, targets, position)
                    : new Statement.CallTargets(name, targets, position);
        }
        if (atDotted("callprototype")) {
            advance();
            Signature signature = prototype();
            expect(TokenKind.SEMICOLON);
            return new Statement.CallPrototype(name, signature, position);
        }
        return new Statement.Label(name, position);
    }

    private List<Operand.Symbol> targets() throws SyntaxError {
        List<Operand.Symbol> targets = new ArrayList<>();
        do {
            SourcePosition position = position();
            String name = expect(TokenKind.IDENTIFIER, "a name");
            if (accept(TokenKind.LESS)) {
                long count = term();
                expect(TokenKind.GREATER);
                if (count <= 0 || count > 65_536) {
                    throw invalid(
                            Rule.EMPTY_LABEL_RANGE,
                            name + "<" + count + "> names no labels",
                            "write how many");
                }
                for (int i = 0; i < count; i++) {
                    targets.add(new Operand.Symbol(name + i, 0, null, position));
                }
            } else {
                targets.add(new Operand.Symbol(name, 0, null, position));
            }
        } while (accept(TokenKind.COMMA));
        return targets;
    }

    private Signature prototype() throws SyntaxError {
        openScope();
        try {
            List<Variable> results = at(TokenKind.LEFT_PARENTHESIS) ? parameters() : List.of();
            expect(TokenKind.SINK, "'_' in place of the function's name");
            List<Variable> parameters = at(TokenKind.LEFT_PARENTHESIS) ? parameters() : List.of();
            return new Signature(results, parameters, directives());
        } finally {
            closeScope();
        }
    }

    /// The directives behind a function's header.
    List<Signature.Directive> directives() throws SyntaxError {
        List<Signature.Directive> directives = new ArrayList<>();
        while (at(TokenKind.DOTTED)) {
            SourcePosition position = position();
            String name = text();
            if (name.equals("pragma")) {
                Statement.Pragma pragma = pragma();
                directives.add(new Signature.Directive(name, List.of(), pragma.texts(), position));
                continue;
            }
            if (Linkage.of(name) != null || StateSpace.of(name) != null || opensItem(name)) {
                return directives; // the assembler takes a declaration without its ';'
            }
            if (!DIRECTIVES.contains(" " + name + " ")) {
                throw unexpected("a directive such as .maxntid, the body '{' or ';'");
            }
            advance();
            List<Long> values = new ArrayList<>();
            if (at(TokenKind.INTEGER)) {
                values.add(integer());
                while (accept(TokenKind.COMMA)) {
                    values.add(integer());
                }
            }
            directives.add(new Signature.Directive(name, values, List.of(), position));
        }
        return directives;
    }

    private static boolean opensItem(String name) {
        return name.equals("func") || name.equals("entry") || name.equals("file");
    }

    Statement.Pragma pragma() throws SyntaxError {
        SourcePosition position = position();
        advance();
        List<String> texts = new ArrayList<>();
        do {
            texts.add(expect(TokenKind.STRING, "a string in quotes"));
        } while (accept(TokenKind.COMMA));
        expect(TokenKind.SEMICOLON);
        return new Statement.Pragma(texts, position);
    }

    private Statement.Location location() throws SyntaxError {
        SourcePosition position = position();
        advance();
        int file = small();
        int line = small();
        int column = small();
        if (!at(TokenKind.COMMA)) {
            return new Statement.Location(file, line, column, null, position);
        }
        advance();
        if (!atWord("function_name")) {
            throw unexpected("function_name");
        }
        advance();
        String label = at(TokenKind.DOTTED) ? "." + text() : text();
        if (!at(TokenKind.DOTTED) && !at(TokenKind.IDENTIFIER)) {
            throw unexpected("a label of .debug_str");
        }
        advance();
        long offset = accept(TokenKind.PLUS) ? term() : 0;
        expect(TokenKind.COMMA);
        if (!atWord("inlined_at")) {
            throw unexpected("inlined_at");
        }
        advance();
        Statement.Inlined inlined = new Statement.Inlined(label, offset, small(), small(), small());
        return new Statement.Location(file, line, column, inlined, position);
    }

    /// An integer literal that fits an int.
    int small() throws SyntaxError {
        int token = index();
        long value = term();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw invalidAt(
                    token,
                    Rule.INTEGER_OUT_OF_RANGE,
                    value + " is out of range",
                    "write 0 to 2147483647");
        }
        return (int) value;
    }

    private Statement guarded() throws SyntaxError {
        advance();
        boolean negated = accept(TokenKind.NOT);
        SourcePosition position = position();
        Operand predicate = named();
        if (!(predicate instanceof Operand.Register register)) {
            findings()
                    .add(
                            new Diagnostic(
                                    Rule.GUARD_NOT_A_REGISTER,
                                    position,
                                    1,
                                    "the guard must be a predicate register; found " + predicate,
                                    "declare it: .reg .pred " + predicate + ";",
                                    "4.3.2",
                                    List.of()));
            throw new SyntaxError();
        }
        if (!at(TokenKind.IDENTIFIER)) {
            throw unexpected("an instruction after its guard");
        }
        return instruction(new Guard(register, negated));
    }

    private Statement instruction(@Nullable Guard guard) throws SyntaxError {
        SourcePosition position = position();
        String opcode = text();
        advance();
        List<String> qualifiers = List.of();
        if (at(TokenKind.DOTTED)) {
            qualifiers = new ArrayList<>(6);
            do {
                qualifiers.add(text());
                advance();
            } while (at(TokenKind.DOTTED) && qualifiers.size() < MOST_QUALIFIERS);
            if (at(TokenKind.DOTTED)) {
                throw invalid(
                        Rule.TOO_MANY_QUALIFIERS,
                        "more than " + MOST_QUALIFIERS + " qualifiers",
                        "no instruction has so many",
                        "9");
            }
        }
        List<Operand> operands = List.of();
        if (!at(TokenKind.SEMICOLON) && !at(TokenKind.RIGHT_BRACE)) {
            boolean call = opcode.equals("call");
            operands = new ArrayList<>(4);
            do {
                operands.add(call && at(TokenKind.LEFT_PARENTHESIS) ? arguments() : operand());
            } while (operands.size() < MOST_OPERANDS && accept(TokenKind.COMMA));
        }
        endStatement("',' or ';' after an operand");
        return new Instruction(guard, opcode, qualifiers, operands, position);
    }
}
