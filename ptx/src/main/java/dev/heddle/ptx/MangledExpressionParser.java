package dev.heddle.ptx;

import dev.heddle.ptx.NamePart.Declared;
import dev.heddle.ptx.NamePart.Expansion;
import dev.heddle.ptx.NamePart.Listed;
import dev.heddle.ptx.NamePart.Operand;
import dev.heddle.ptx.NamePart.Scoped;
import dev.heddle.ptx.NamePart.Sequence;
import dev.heddle.ptx.NamePart.Simple;
import dev.heddle.ptx.NamePart.Text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads expressions (Itanium C++ ABI 5.1.6), and sets brackets as `c++filt` does.
record MangledExpressionParser(MangledText text, MangledNameParser names, MangledTypeParser types) {
    private static final Set<String> UNARY = Set.of("ps", "ng", "de", "co", "nt", "aw");
    private static final Set<String> STEPS = Set.of("pp", "mm");
    private static final Map<String, String> OF_TYPES =
            Map.of("st", "sizeof ", "at", "alignof ", "ti", "typeid ");
    private static final Map<String, String> OF_EXPRESSIONS =
            Map.of(
                    "sz",
                    "sizeof ",
                    "az",
                    "alignof ",
                    "te",
                    "typeid ",
                    "nx",
                    "noexcept",
                    "tw",
                    "throw ");
    private static final Map<String, String> CASTS =
            Map.of(
                    "sc", "static_cast",
                    "dc", "dynamic_cast",
                    "cc", "const_cast",
                    "rc", "reinterpret_cast");

    /// What follows a number of a type that has no other name before it.
    private static final Map<String, String> SUFFIXES =
            Map.of(
                    "int", "",
                    "unsigned int", "u",
                    "long", "l",
                    "unsigned long", "ul",
                    "long long", "ll",
                    "unsigned long long", "ull");

    private static final Set<String> FRACTIONS =
            Set.of("float", "double", "long double", "__float128");

    NamePart expression() {
        text.enter();
        NamePart expression = unboundedExpression();
        text.leave();
        return expression;
    }

    private NamePart unboundedExpression() {
        char first = text.peek();
        if (first == 'L') {
            return literal();
        }
        if (first == 'T') {
            NamePart parameter = names.templateParameter();
            return text.peek() == 'I' ? names.withArguments(parameter) : parameter;
        }
        if (Character.isDigit(first) || text.isNext("on") || text.isNext("dn")) {
            return unresolved();
        }
        if (first == 'f') {
            return text.isNext("fp") || text.isNext("fL") && Character.isDigit(text.peek(2))
                    ? parameter()
                    : fold();
        }
        String code = text.take(2);
        return switch (code) {
            case "sr" -> inScope();
            case "gs" -> Sequence.of(new Text("::"), expression());
            case "sp" -> new Expansion(expression());
            case "sZ" -> length(expression());
            case "il" -> list(Text.NONE);
            case "tl" -> list(types.type());
            case "cl", "cp" -> call();
            case "cv" -> conversion();
            case "ad" -> new Sequence(List.of(new Text("&"), new Operand(addressed(expression()))));
            case "ix" -> {
                NamePart array = new Operand(expression());
                yield Sequence.of(array, new Text("["), expression(), new Text("]"));
            }
            case "qu" -> {
                NamePart condition = new Operand(expression());
                NamePart then = new Operand(expression());
                NamePart otherwise = new Operand(expression());
                yield Sequence.of(condition, new Text("?"), then, new Text(" : "), otherwise);
            }
            case "tr" -> new Text("throw");
            default -> operation(code);
        };
    }

    private NamePart operation(String code) {
        if (OF_TYPES.containsKey(code)) {
            return Sequence.of(new Text(OF_TYPES.get(code) + "("), types.type(), new Text(")"));
        }
        if (OF_EXPRESSIONS.containsKey(code)) {
            return Sequence.of(new Text(OF_EXPRESSIONS.get(code)), new Operand(expression()));
        }
        if (CASTS.containsKey(code)) {
            NamePart type = types.type();
            return Sequence.of(
                    new Text(CASTS.get(code) + "<"),
                    type,
                    new Text(">("),
                    expression(),
                    new Text(")"));
        }
        String sign = MangledNames.OPERATORS.get(code);
        if (sign == null) {
            throw new MangledText.Beyond();
        }
        if (STEPS.contains(code)) {
            boolean isBefore = text.take("_");
            NamePart operand = new Operand(expression());
            return isBefore
                    ? Sequence.of(new Text(sign), operand)
                    : Sequence.of(operand, new Text(sign));
        }
        if (UNARY.contains(code)) {
            return Sequence.of(new Text(sign), new Operand(expression()));
        }
        NamePart first = new Operand(expression());
        NamePart second = new Operand(expression());
        // As `>` it would seem to end the arguments of a template.
        return code.equals("gt")
                ? Sequence.of(new Text("("), first, new Text(sign), second, new Text(")"))
                : Sequence.of(first, new Text(sign), second);
    }

    /// A function is named without its parameters where they follow or its address is taken.
    private static NamePart addressed(NamePart operand) {
        return operand instanceof Declared function
                        && function.parameters() != null
                        && function.name() instanceof Scoped
                ? function.name()
                : operand;
    }

    private NamePart call() {
        NamePart function = expression();
        NamePart called = function instanceof Declared of ? of.name() : function;
        return Sequence.of(new Operand(called), new Text("("), until("E"), new Text(")"));
    }

    private NamePart conversion() {
        NamePart type = types.type();
        NamePart operand =
                text.take("_")
                        ? Sequence.of(new Text("("), until("E"), new Text(")"))
                        : new Operand(expression());
        return Sequence.of(new Text("("), type, new Text(")"), operand);
    }

    private NamePart list(NamePart type) {
        return new Simple(Sequence.of(type, new Text("{"), until("E"), new Text("}")));
    }

    private Listed until(String end) {
        List<NamePart> all = new ArrayList<>();
        while (!text.take(end)) {
            all.add(expression());
        }
        return new Listed(all);
    }

    private static NamePart length(NamePart pack) {
        return new NamePart.Length(pack);
    }

    /// A name in a type, or in one after the other of what is named before it.
    private NamePart inScope() {
        boolean isNamed = Character.isDigit(text.peek());
        NamePart scope = isNamed ? unresolved() : types.type();
        while (isNamed && !text.take("E")) {
            scope = new Scoped(scope, unresolved());
        }
        return new Scoped(scope, unresolved());
    }

    /// A name that is looked up in what a parameter of a template is.
    private NamePart unresolved() {
        NamePart name;
        if (text.take("dn")) {
            name =
                    Sequence.of(
                            new Text("~"),
                            Character.isDigit(text.peek())
                                    ? names.unqualified(Text.NONE)
                                    : types.type());
        } else {
            text.take("on");
            name = names.unqualified(Text.NONE);
        }
        return text.peek() == 'I' ? names.withArguments(name) : name;
    }

    /// A parameter of the function whose type this is in.
    private NamePart parameter() {
        text.skip(1);
        if (text.take("L")) {
            text.digits();
        }
        text.require("p");
        if (text.take("T")) {
            return new Simple(new Text("this"));
        }
        types.qualifiers();
        return new Simple(new Text("{parm#" + (text.index(10) + 1) + "}"));
    }

    private NamePart fold() {
        text.require("f");
        String way = text.take(1);
        String sign = names.operatorSign();
        NamePart first = new Operand(expression());
        return switch (way) {
            case "l" -> Sequence.of(new Text("(..." + sign), first, new Text(")"));
            case "r" -> Sequence.of(new Text("("), first, new Text(sign + "...)"));
            case "L", "R" ->
                    Sequence.of(
                            new Text("("),
                            first,
                            new Text(sign + "..." + sign),
                            new Operand(expression()),
                            new Text(")"));
            default -> throw new MangledText.Beyond();
        };
    }

    /// A number, or a function or variable.
    NamePart literal() {
        text.require("L");
        if (text.take("_Z") || text.take("Z")) {
            NamePart encoding = names.encoding();
            text.require("E");
            return encoding;
        }
        NamePart type = types.type();
        String value = text.before('E').replace('n', '-');
        String word = type instanceof Text(String builtin) ? builtin : "";
        if (word.equals("bool") && (value.equals("0") || value.equals("1"))) {
            return new Text(value.equals("1") ? "true" : "false");
        }
        if (SUFFIXES.containsKey(word)) {
            return new Text(value + SUFFIXES.get(word));
        }
        String number = FRACTIONS.contains(word) ? "[" + value + "]" : value;
        return Sequence.of(new Text("("), type, new Text(")" + number));
    }
}
