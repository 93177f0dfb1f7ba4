package dev.heddle.ptx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Names of C++ from those that compilers give them, by the rules of the Itanium C++ ABI, section
/// 5.1 (`_Z3addPf` is `add(float*)`): as far as kernels and variables need them. What goes beyond
/// stays as it is.
public final class Demangler {
    private final MangledText text;
    private final List<String> substitutions = new ArrayList<>();
    private List<String> templateArguments = List.of();
    private boolean templated;

    /// The last name of a local one.
    private String inner = "";

    private Demangler(String text) {
        this.text = new MangledText(text, 2);
    }

    /// The whole name, with parameters; the symbol itself where it is no C++ name.
    public static String demangle(String symbol) {
        return symbol.startsWith("_Z") ? whole(symbol, true) : symbol;
    }

    /// The name without parameters and result: `ns::kernel<float>`.
    public static String nameOf(String symbol) {
        return symbol.startsWith("_Z") ? whole(symbol, false) : symbol;
    }

    /// What the source calls a variable where it is: `tile` for one inside of a function,
    /// `ns::tile` for one outside.
    public static String variableOf(String symbol) {
        return symbol.startsWith("_ZZ") ? new Demangler(symbol).local(symbol) : nameOf(symbol);
    }

    private String local(String symbol) {
        try {
            encodedName();
            return inner;
        } catch (MangledText.Beyond | IndexOutOfBoundsException | NumberFormatException e) {
            return symbol;
        }
    }

    private static String whole(String symbol, boolean parameters) {
        Demangler demangler = new Demangler(symbol);
        try {
            String name = demangler.encodedName();
            if (!parameters || demangler.text.atEnd()) {
                return name;
            }
            String list = demangler.signature();
            return demangler.text.atEnd() ? name + "(" + list + ")" : symbol;
        } catch (MangledText.Beyond | IndexOutOfBoundsException | NumberFormatException e) {
            return symbol;
        }
    }

    private String remember(String part) {
        substitutions.add(text.bounded(part));
        return part;
    }

    // Names.

    private String encodedName() {
        templated = false;
        if (text.peek() == 'N') {
            return nested();
        }
        if (text.peek() == 'Z') {
            return localName();
        }
        String name;
        if (text.peek() == 'S' && !text.isNext("St")) {
            name = substitution();
        } else {
            name = text.take("St") ? "std::" + sourceName() : sourceName();
            if (text.peek() == 'I') {
                remember(name);
            }
        }
        return text.peek() == 'I' ? withTemplateArguments(name) : name;
    }

    /// The parameters of a function; those of a template come behind its result.
    private String signature() {
        if (templated) {
            type();
        }
        return parameters();
    }

    /// A variable of a function: `block_sum(float*)::s`. nvcc leaves out the parameters of
    /// functions in C.
    private String localName() {
        text.enter();
        text.skip(1);
        String function = encodedName();
        if (text.peek() != 'E') {
            function += "(" + signature() + ")";
        }
        text.require("E");
        String name = sourceName();
        if (text.take("_")) {
            // The number of several of that name.
            while (Character.isDigit(text.peek()) || text.peek() == '_') {
                text.skip(1);
            }
        }
        text.leave();
        inner = name;
        return text.bounded(function + "::" + name);
    }

    private String nested() {
        text.enter();
        text.skip(1);
        while ("rVK".indexOf(text.peek()) >= 0) {
            text.skip(1);
        }
        String name = "";
        String last = "";
        while (!text.take("E")) {
            templated = false;
            if (text.peek() == 'I') {
                name = remember(withTemplateArguments(name));
                templated = true;
                continue;
            }
            if (text.peek() == 'S') {
                name = substitution();
                continue;
            }
            if (text.peek() == 'T') {
                name = templateParameter();
                remember(name);
                continue;
            }
            last = text.peek() == 'C' || text.peek() == 'D' ? structor(last) : sourceName();
            // What nvcc makes of a file's own names: the source has no such namespace.
            if (!last.startsWith("_INTERNAL_")) {
                name = name.isEmpty() ? last : name + "::" + last;
            }
            remember(name);
        }
        // The whole is no substitution, only what it consists of.
        if (!substitutions.isEmpty()) {
            substitutions.removeLast();
        }
        text.leave();
        return text.bounded(name);
    }

    private String structor(String of) {
        boolean destructor = text.peek() == 'D';
        text.skip(2);
        return destructor ? "~" + of : of;
    }

    private String sourceName() {
        String length = text.digits();
        if (length.isEmpty() || length.length() > 4) {
            throw new MangledText.Beyond();
        }
        String name = text.take(Integer.parseInt(length));
        return name.startsWith("_GLOBAL__N") ? "(anonymous namespace)" : name;
    }

    private String withTemplateArguments(String name) {
        templated = true;
        List<String> arguments = templateArguments();
        templateArguments = arguments;
        return text.bounded(name + "<" + joined(arguments) + ">");
    }

    /// With commas between; an empty pack is nothing.
    private static String joined(List<String> parts) {
        return String.join(", ", parts.stream().filter(part -> !part.isEmpty()).toList());
    }

    private List<String> templateArguments() {
        text.enter();
        text.skip(1);
        List<String> arguments = new ArrayList<>();
        while (!text.take("E")) {
            arguments.add(text.peek() == 'J' ? pack() : templateArgument());
        }
        text.leave();
        return arguments;
    }

    /// The arguments of a pack, as one.
    private String pack() {
        text.skip(1);
        List<String> arguments = new ArrayList<>();
        while (!text.take("E")) {
            arguments.add(templateArgument());
        }
        return String.join(", ", arguments);
    }

    private String templateArgument() {
        if (!text.take("L")) {
            return type();
        }
        if (text.take("_Z")) {
            String name = encodedName();
            if (text.peek() != 'E') {
                name += "(" + parameters() + ")";
            }
            text.require("E");
            return "&" + name;
        }
        String type = type();
        String value = text.before('E').replace('n', '-');
        return switch (type) {
            case "bool" -> value.equals("1") ? "true" : "false";
            case "int" -> value;
            case "unsigned int" -> value + "u";
            case "long" -> value + "l";
            case "unsigned long" -> value + "ul";
            case "long long" -> value + "ll";
            case "unsigned long long" -> value + "ull";
            default -> "(" + type + ")" + value;
        };
    }

    // Types.

    private String parameters() {
        List<String> types = new ArrayList<>();
        while (!text.atEnd() && text.peek() != 'E') {
            types.add(type());
        }
        return types.equals(List.of("void")) ? "" : joined(types);
    }

    private String type() {
        text.enter();
        String type = unboundedType();
        text.leave();
        return text.bounded(type);
    }

    private String unboundedType() {
        char kind = text.peek();
        String builtin = MangledNames.BUILTIN.get(kind);
        if (builtin != null) {
            text.skip(1);
            return builtin;
        }
        return switch (kind) {
            case 'P' -> wrapped("*");
            case 'R' -> wrapped("&");
            case 'O' -> wrapped("&&");
            case 'K' -> wrapped(" const");
            case 'V' -> wrapped(" volatile");
            case 'r' -> wrapped(" __restrict__");
            case 'F' -> function();
            case 'A' -> array();
            case 'T' -> {
                String parameter = remember(templateParameter());
                yield text.peek() == 'I' ? remember(appended(parameter)) : parameter;
            }
            case 'S' -> {
                boolean standard = text.isNext("St");
                String name = standard ? encodedTypeName() : substitution();
                yield !standard && text.peek() == 'I' ? remember(appended(name)) : name;
            }
            case 'D' -> special();
            default -> encodedTypeName();
        };
    }

    private String encodedTypeName() {
        List<String> outer = templateArguments;
        boolean before = templated;
        String name = encodedName();
        templateArguments = outer;
        templated = before;
        return remember(name);
    }

    private String appended(String name) {
        List<String> outer = templateArguments;
        boolean before = templated;
        String whole = withTemplateArguments(name);
        templateArguments = outer;
        templated = before;
        return whole;
    }

    /// A pointer to a function is before its parameters, one to an array before its extent.
    private String wrapped(String suffix) {
        text.skip(1);
        char of = text.peek();
        String inner = type();
        return remember(
                switch (of) {
                    case 'F' -> inner.replaceFirst(" \\(", "(" + suffix + ")(");
                    case 'A' -> inner.replaceFirst(" \\[", " (" + suffix + ") [");
                    default -> inner + suffix;
                });
    }

    private String function() {
        text.skip(1);
        text.take("Y");
        String result = type();
        String parameters = parameters();
        text.require("E");
        return remember(result + " (" + parameters + ")");
    }

    private String array() {
        text.skip(1);
        String extent = text.before('_');
        return remember(type() + " [" + extent + "]");
    }

    private String special() {
        if (text.take("Dp")) {
            if (text.peek() != 'T') {
                throw new MangledText.Beyond(); // a pattern around each type of a pack
            }
            return type();
        }
        if (text.take("Dn")) {
            return "decltype(nullptr)";
        }
        if (text.take("DF16_")) {
            return "_Float16";
        }
        throw new MangledText.Beyond();
    }

    private String templateParameter() {
        int index = index("T");
        if (index >= templateArguments.size()) {
            throw new MangledText.Beyond();
        }
        return templateArguments.get(index);
    }

    private String substitution() {
        for (Map.Entry<String, String> standard : MangledNames.STANDARD.entrySet()) {
            if (text.take(standard.getKey())) {
                return standard.getValue();
            }
        }
        return substitutions.get(index("S"));
    }

    /// `S_` is the first, `S0_` the second; digits to base 36 for substitutions, 10 otherwise.
    private int index(String letter) {
        text.require(letter);
        String digits = text.before('_');
        if (digits.length() > 5) {
            throw new MangledText.Beyond();
        }
        return digits.isEmpty() ? 0 : 1 + Integer.parseInt(digits, letter.equals("S") ? 36 : 10);
    }
}
