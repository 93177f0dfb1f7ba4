package dev.heddle.ptx;

import dev.heddle.formats.InputException;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.rule.Rule;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Reads a whole module (PTX ISA 4, 11).
final class ModuleParser extends StatementParser {

    private static final Set<String> OUTERMOST =
            Set.of(
                    """
                    version target address_size entry func alias file section pragma extern
                    visible weak common global const shared local tex
                    """
                            .split("\\s"));

    private final SourceText source;
    private final List<ModuleItem> items = new ArrayList<>();
    private @Nullable PtxVersion version;
    private @Nullable TargetDirective target;
    private int addressSize;
    private SourcePosition versionPosition;
    private SourcePosition targetPosition;

    ModuleParser(SourceText source) {
        super(Lexer.tokens(source), new Findings());
        this.source = source;
        this.versionPosition = new SourcePosition(source.file(), 1, 1);
        this.targetPosition = versionPosition;
    }

    Parsed parse() {
        header();
        while (!at(TokenKind.END) && !findings().isFull()) {
            LoadLimit.check();
            int before = index();
            try {
                startStatement();
                item();
            } catch (SyntaxError _) {
                skipItem(before);
            }
            if (index() == before) {
                advance();
            }
        }
        Module module =
                new Module(
                        source.file(),
                        version == null ? new PtxVersion(0, 0) : version,
                        target == null ? new TargetDirective(List.of()) : target,
                        addressSize == 0 ? 32 : addressSize,
                        items,
                        versionPosition,
                        targetPosition);
        return new Parsed(module, findings().list(), source);
    }

    /// `.version`, `.target` and `.address_size`, which must come first, in this order.
    private void header() {
        try {
            versionPosition = position();
            if (atDotted("version")) {
                version();
            } else {
                missing("a module opens with .version", "write .version 9.0 as its first line");
            }
            targetPosition = position();
            if (atDotted("target")) {
                target = target();
            } else {
                missing(".target follows .version", "write .target sm_90 behind .version");
            }
            if (atDotted("address_size")) {
                addressSize();
            }
        } catch (SyntaxError _) {
            skipItem(index());
        }
    }

    private void missing(String message, String remedy) {
        invalid(Rule.MISSING_HEADER, message, remedy);
    }

    private void version() throws SyntaxError {
        advance();
        int token = index();
        String text = expect(TokenKind.FLOAT, "a version such as 9.0");
        try {
            version = PtxVersion.parse(text);
        } catch (InputException e) {
            throw invalidAt(
                    token,
                    Rule.UNKNOWN_VERSION,
                    String.valueOf(e.getMessage()),
                    "write one such as 9.0");
        }
    }

    private TargetDirective target() throws SyntaxError {
        advance();
        List<String> names = new ArrayList<>();
        do {
            names.add(expect(TokenKind.IDENTIFIER, "a target such as sm_90a"));
        } while (accept(TokenKind.COMMA));
        return new TargetDirective(names);
    }

    private void addressSize() throws SyntaxError {
        advance();
        int token = index();
        int size = small();
        if (size != 32 && size != 64) {
            throw invalidAt(
                    token,
                    Rule.WRONG_ADDRESS_SIZE,
                    ".address_size " + size + "; addresses have 32 or 64 bits",
                    "write .address_size 64");
        }
        addressSize = size;
    }

    private void item() throws SyntaxError {
        if (!at(TokenKind.DOTTED)) {
            throw unexpected("a directive such as .entry, .func or .global");
        }
        SourcePosition position = position();
        switch (text()) {
            case "version" -> {
                throw invalid(
                        Rule.REPEATED_VERSION, "a second .version", "a module has one, at its top");
            }
            case "address_size" -> {
                throw invalid(
                        Rule.MISPLACED_ADDRESS_SIZE,
                        ".address_size in the wrong place",
                        "put it once, right behind .target");
            }
            case "target" -> {
                TargetDirective again = target();
                if (target == null) {
                    target = again;
                    targetPosition = position;
                } else {
                    items.add(new ModuleItem.Retarget(again, position));
                }
            }
            case "file" -> items.add(file(position));
            case "section" -> items.add(section(position));
            case "pragma" -> items.add(pragma());
            case "alias" -> items.add(alias(position));
            default -> symbol();
        }
    }

    private void symbol() throws SyntaxError {
        Linkage linkage = Linkage.of(text());
        if (linkage == null) {
            linkage = Linkage.INTERNAL;
        } else {
            advance();
        }
        if (atDotted("entry")) {
            items.add(function(linkage, Function.Kind.ENTRY));
        } else if (atDotted("func")) {
            items.add(function(linkage, Function.Kind.FUNC));
        } else if (at(TokenKind.DOTTED) && StateSpace.of(text()) != null) {
            items.addAll(declaration(linkage));
        } else {
            throw unexpected("a directive such as .entry, .func or .global");
        }
    }

    private Function function(Linkage linkage, Function.Kind kind) throws SyntaxError {
        advance();
        openScope();
        try {
            List<String> attributes = atDotted("attribute") ? attributes() : List.of();
            List<Variable> results =
                    kind == Function.Kind.FUNC && at(TokenKind.LEFT_PARENTHESIS)
                            ? parameters()
                            : List.of();
            SourcePosition position = position();
            String name = expect(TokenKind.IDENTIFIER, "the function's name");
            List<Variable> parameters = at(TokenKind.LEFT_PARENTHESIS) ? parameters() : List.of();
            Signature signature = new Signature(results, parameters, directives());
            Statement.Block body = null;
            if (at(TokenKind.LEFT_BRACE)) {
                body = body();
            } else if (!at(TokenKind.DOTTED)) {
                expect(TokenKind.SEMICOLON, "the body '{' or ';'");
            }
            return new Function(linkage, kind, name, signature, attributes, body, position);
        } finally {
            closeScope();
        }
    }

    private ModuleItem file(SourcePosition position) throws SyntaxError {
        advance();
        int index = small();
        String name = expect(TokenKind.STRING, "a file name in quotes");
        long timestamp = 0;
        long size = 0;
        if (accept(TokenKind.COMMA)) {
            timestamp = term();
            expect(TokenKind.COMMA);
            size = term();
        }
        return new ModuleItem.SourceFile(index, name, timestamp, size, position);
    }

    private ModuleItem alias(SourcePosition position) throws SyntaxError {
        advance();
        String name = expect(TokenKind.IDENTIFIER, "the alias");
        expect(TokenKind.COMMA);
        String aliasee = expect(TokenKind.IDENTIFIER, "the function it stands for");
        expect(TokenKind.SEMICOLON);
        return new ModuleItem.Alias(name, aliasee, position);
    }

    private ModuleItem section(SourcePosition position) throws SyntaxError {
        advance();
        String name =
                at(TokenKind.DOTTED)
                        ? "." + expect(TokenKind.DOTTED, "a section")
                        : expect(TokenKind.IDENTIFIER, "the section's name");
        expect(TokenKind.LEFT_BRACE);
        List<String> lines = new ArrayList<>();
        while (!accept(TokenKind.RIGHT_BRACE)) {
            if (at(TokenKind.IDENTIFIER) && kindAfter(1) == TokenKind.COLON) {
                lines.add(text() + ":");
                advance();
                advance();
            } else {
                lines.add(data());
            }
        }
        return new ModuleItem.Section(name, lines, position);
    }

    /// One line of a section: a width and a list of integers, labels, sums and differences.
    private String data() throws SyntaxError {
        if (!atDotted("b8") && !atDotted("b16") && !atDotted("b32") && !atDotted("b64")) {
            throw unexpected(".b8, .b16, .b32, .b64, a label or '}'");
        }
        int bits = Integer.parseInt(text().substring(1));
        StringBuilder line = new StringBuilder("." + text() + " ");
        advance();
        do {
            if (line.charAt(line.length() - 1) != ' ') {
                line.append(", ");
            }
            if (at(TokenKind.INTEGER) || at(TokenKind.MINUS)) {
                line.append(datum(bits));
            } else {
                line.append(label());
                if (at(TokenKind.PLUS) || at(TokenKind.MINUS)) {
                    line.append(at(TokenKind.PLUS) ? '+' : '-');
                    advance();
                    line.append(at(TokenKind.INTEGER) ? String.valueOf(term()) : label());
                }
            }
        } while (accept(TokenKind.COMMA));
        return line.toString();
    }

    private long datum(int bits) throws SyntaxError {
        int token = index();
        long value = term();
        long most = bits == 64 ? Long.MAX_VALUE : (1L << bits) - 1;
        if (bits < 64 && (value < -(1L << (bits - 1)) || value > most)) {
            throw invalidAt(
                    token,
                    Rule.BAD_SECTION_DATA,
                    value + " does not fit .b" + bits,
                    "use a wider .b");
        }
        return value;
    }

    private String label() throws SyntaxError {
        if (at(TokenKind.DOTTED)) {
            return "." + expect(TokenKind.DOTTED, "a section");
        }
        return expect(TokenKind.IDENTIFIER, "an integer, a label or a section");
    }

    /// Goes to the next directive that opens an item, over whole bodies in braces.
    private void skipItem(int start) {
        int depth = 0;
        boolean first = index() == start;
        while (!at(TokenKind.END)) {
            if (!first
                    && depth == 0
                    && onNewLine()
                    && at(TokenKind.DOTTED)
                    && OUTERMOST.contains(text())) {
                return;
            }
            first = false;
            if (at(TokenKind.LEFT_BRACE)) {
                depth++;
            } else if (at(TokenKind.RIGHT_BRACE)) {
                depth = Math.max(0, depth - 1);
            }
            advance();
        }
    }
}
