package dev.heddle.ptx;

import dev.heddle.ptx.NamePart.Conversion;
import dev.heddle.ptx.NamePart.Declared;
import dev.heddle.ptx.NamePart.Lambda;
import dev.heddle.ptx.NamePart.Listed;
import dev.heddle.ptx.NamePart.Parameter;
import dev.heddle.ptx.NamePart.Scoped;
import dev.heddle.ptx.NamePart.Sequence;
import dev.heddle.ptx.NamePart.SourceName;
import dev.heddle.ptx.NamePart.Templated;
import dev.heddle.ptx.NamePart.Text;

import java.util.ArrayList;
import java.util.List;

/// Reads names and template arguments (Itanium C++ ABI 5.1.2, 5.1.3, 5.1.5.8 and on).
final class MangledNameParser {
    private final MangledText text;
    private final MangledTypeParser types;
    private final MangledExpressionParser expressions;
    private final List<NamePart> substitutions = new ArrayList<>();
    /// What the source calls the last local name.
    private NamePart inner = Text.NONE;

    MangledNameParser(MangledText text) {
        this.text = text;
        types = new MangledTypeParser(text, this);
        expressions = new MangledExpressionParser(text, this, types);
    }

    /// A name, and what follows from it.
    ///
    /// @param hasResult whether the type of a result would stand before the parameters
    /// @param words behind them: `const`
    private record Named(NamePart part, boolean hasResult, String words) {}

    MangledExpressionParser expressions() {
        return expressions;
    }

    NamePart inner() {
        return inner;
    }

    NamePart remember(NamePart part) {
        substitutions.add(part);
        return part;
    }

    // Encodings.

    Declared encoding() {
        text.enter();
        Declared encoding = text.peek() == 'T' || text.peek() == 'G' ? special() : ofProgram();
        text.leave();
        return encoding;
    }

    /// What compilers make for something of the program's.
    private Declared special() {
        String words = MangledNames.MADE.get(text.take(2));
        if (words == null) {
            throw new MangledText.Beyond();
        }
        NamePart of;
        if (words.startsWith("v") && words.endsWith("thunk to ") || words.startsWith("non-")) {
            text.before('_');
            if (words.startsWith("v")) {
                text.before('_');
            }
            of = encoding().plain();
        } else {
            of = words.endsWith("for ") && text.peek() != 'N' ? types.type() : name().part;
        }
        return new Declared(Sequence.of(new Text(words), of), null, null, "");
    }

    private Declared ofProgram() {
        Named named = name();
        if (text.atEnd() || text.peek() == 'E' || text.peek() == '.') {
            return new Declared(named.part, null, null, named.words);
        }
        boolean isTemplated = NamePart.argumentsOf(named.part) != null;
        NamePart result = isTemplated && named.hasResult ? types.type() : null;
        return new Declared(named.part, result, types.parameters(), named.words);
    }

    /// The name of a type.
    NamePart typeName() {
        return name().part;
    }

    private Named name() {
        text.enter();
        Named name =
                switch (text.peek()) {
                    case 'N' -> nested();
                    case 'Z' -> local();
                    default -> unscoped();
                };
        text.leave();
        return name;
    }

    private Named unscoped() {
        NamePart name;
        boolean isKnown = text.peek() == 'S' && !text.isNext("St");
        boolean isConversion = false;
        if (isKnown) {
            name = substitution();
        } else {
            boolean isStandard = text.take("St");
            text.take("L");
            isConversion = text.isNext("cv");
            name = unqualified(Text.NONE);
            name = isStandard ? scoped(new Text("std"), name) : name;
        }
        if (text.peek() != 'I') {
            return new Named(name, true, "");
        }
        if (!isKnown) {
            remember(name);
        }
        return new Named(withArguments(name), !isConversion, "");
    }

    private static NamePart scoped(NamePart outer, NamePart name) {
        return Text.NONE.equals(outer)
                ? name
                : Text.NONE.equals(name) ? outer : new Scoped(outer, name);
    }

    private Named nested() {
        text.skip(1);
        String words = types.qualifiers();
        words += text.take("R") ? " &" : text.take("O") ? " &&" : "";
        NamePart name = Text.NONE;
        boolean hasResult = true;
        while (!text.take("E")) {
            if (text.take("M")) {
                continue; // a lambda that a member is initialised by
            }
            if (text.isNext("St")) {
                text.skip(2);
                name = new Text("std");
                continue;
            }
            if (text.peek() == 'S') {
                name = substitution();
                continue;
            }
            if (text.peek() != 'I') {
                hasResult = !isStructor() && !text.isNext("cv");
            }
            name = component(name);
            remember(name);
        }
        // The whole is no substitution, only what it consists of.
        if (!substitutions.isEmpty()) {
            substitutions.removeLast();
        }
        return new Named(name, hasResult, words);
    }

    private boolean isStructor() {
        return text.peek() == 'C' || text.peek() == 'D' && Character.isDigit(text.peek(1));
    }

    private NamePart component(NamePart outer) {
        text.take("L");
        return switch (text.peek()) {
            case 'I' -> withArguments(outer);
            case 'T' -> templateParameter();
            default ->
                    text.isNext("Dt") || text.isNext("DT")
                            ? types.decltype()
                            : scoped(outer, unqualified(outer));
        };
    }

    private Named local() {
        text.skip(1);
        NamePart function = encoding().plain();
        text.require("E");
        Named last = new Named(new Text("string literal"), true, "");
        if (!text.take("s")) {
            if (text.take("d")) {
                String number = MangledText.ordinal(text.before('_')) + "}";
                function = new Scoped(function, new Text("{default arg#" + number));
            }
            last = name();
        }
        discriminator();
        inner = last.part;
        return new Named(new Scoped(function, last.part), last.hasResult, last.words);
    }

    /// The number of several of one name.
    private void discriminator() {
        if (text.take("__")) {
            text.before('_');
        } else if (text.take("_")) {
            text.digits();
        }
    }

    // Parts of names.

    /// @param outer what it is in: constructors have its name
    NamePart unqualified(NamePart outer) {
        char first = text.peek();
        NamePart name;
        if (Character.isDigit(first)) {
            name = new SourceName(sourceName());
        } else if (isStructor() && !Text.NONE.equals(outer)) {
            name = structor(outer);
        } else if (text.isNext("Ut") || text.isNext("Ul")) {
            name = unnamed();
        } else if (text.take("DC")) {
            List<NamePart> bindings = new ArrayList<>();
            while (!text.take("E")) {
                bindings.add(new Text(sourceName()));
            }
            name = Sequence.of(new Text("["), new Listed(bindings), new Text("]"));
        } else {
            name = operator();
        }
        while (text.take("B")) {
            name = Sequence.of(name, new Text("[abi:" + sourceName() + "]"));
        }
        // What nvcc makes of a file's own names: the source has no such namespace.
        return name instanceof SourceName(String word) && word.startsWith("_INTERNAL_")
                ? Text.NONE
                : name;
    }

    private NamePart structor(NamePart of) {
        boolean destructor = text.peek() == 'D';
        text.skip(1);
        boolean isInherited = text.take("I");
        text.skip(1);
        NamePart base = base(isInherited ? types.type() : of);
        return destructor ? Sequence.of(new Text("~"), base) : base;
    }

    private static NamePart base(NamePart of) {
        return switch (of) {
            case Scoped(_, NamePart name) -> base(name);
            case Templated(NamePart name, _) -> base(name);
            case Text(String word) -> new SourceName(MangledNames.base(word));
            default -> of;
        };
    }

    String sourceName() {
        String length = text.digits();
        if (length.isEmpty() || length.length() > 4) {
            throw new MangledText.Beyond();
        }
        String name = text.take(Integer.parseInt(length));
        return name.startsWith("_GLOBAL__N") ? "(anonymous namespace)" : name;
    }

    private NamePart unnamed() {
        text.skip(1);
        if (text.take("t")) {
            return new Text("{unnamed type#" + MangledText.ordinal(text.before('_')) + "}");
        }
        text.skip(1);
        NamePart parameters = types.parameters();
        text.require("E");
        return new Lambda(parameters, MangledText.ordinal(text.before('_')));
    }

    private NamePart operator() {
        if (text.take("cv")) {
            return new Conversion(types.ofConversion());
        }
        if (text.take("li")) {
            return new Text("operator\"\" " + sourceName());
        }
        String operator = operatorSign();
        return new Text(
                "operator" + (Character.isLetter(operator.charAt(0)) ? " " : "") + operator);
    }

    String operatorSign() {
        String operator = MangledNames.OPERATORS.get(text.take(2));
        if (operator == null) {
            throw new MangledText.Beyond();
        }
        return operator;
    }

    // Templates.

    NamePart withArguments(NamePart name) {
        if (Text.NONE.equals(name)) {
            throw new MangledText.Beyond();
        }
        return new Templated(name, templateArguments());
    }

    Listed templateArguments() {
        text.require("I");
        return list();
    }

    private Listed list() {
        text.enter();
        List<NamePart> list = new ArrayList<>();
        while (!text.take("E")) {
            list.add(templateArgument());
        }
        text.leave();
        return new Listed(list);
    }

    NamePart templateArgument() {
        if (text.take("X")) {
            NamePart expression = expressions.expression();
            text.require("E");
            return expression;
        }
        if (text.peek() == 'L') {
            return expressions.literal();
        }
        return text.take("J") ? list() : types.type();
    }

    NamePart templateParameter() {
        text.require("T");
        return new Parameter(text.index(10));
    }

    NamePart substitution() {
        text.require("S");
        String standard = MangledNames.STANDARD.get(text.peek());
        if (standard == null) {
            return substitutions.get(text.index(36));
        }
        text.skip(1);
        return new Text(standard);
    }
}
