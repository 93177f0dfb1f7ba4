package dev.heddle.ptx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Names of C++ from those that compilers give them, by the rules of the Itanium C++ ABI, section
/// 5.1 (`_Z3addPf` is `add(float*)`): as far as kernels and variables need them. What goes beyond
/// stays as it is.
public final class Demangler {
    /// Names nest no deeper than this, and grow no longer: names are input.
    private static final int DEPTH = 64;

    private static final int LONGEST = 4096;

    private final String text;
    private final List<String> substitutions = new ArrayList<>();
    private List<String> templateArguments = List.of();
    private int at;
    private int depth;
    private boolean templated;

    /// The last name of a local one.
    private String inner = "";

    private Demangler(String text) {
        this.text = text;
        at = 2;
    }

    /// A name beyond what is understood here.
    private static final class Beyond extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Beyond() {
            super(null, null, false, false);
        }
    }

    /// The whole name, with parameters; the symbol itself where it is no C++ name.
    public static String demangle(String symbol) {
        return symbol.startsWith("_Z") ? whole(symbol, true) : symbol;
    }

    /// The name without parameters and result: `ns::kernel<float>`.
    public static String nameOf(String symbol) {
        return symbol.startsWith("_Z") ? whole(symbol, false) : symbol;
    }

    /// What the source calls a variable where it stands: `tile` for one inside of a function,
    /// `ns::tile` for one outside.
    public static String variableOf(String symbol) {
        return symbol.startsWith("_ZZ") ? new Demangler(symbol).local(symbol) : nameOf(symbol);
    }

    private String local(String symbol) {
        try {
            encodedName();
            return inner;
        } catch (Beyond | IndexOutOfBoundsException | NumberFormatException e) {
            return symbol;
        }
    }

    private static String whole(String symbol, boolean parameters) {
        Demangler demangler = new Demangler(symbol);
        try {
            String name = demangler.encodedName();
            if (!parameters || demangler.at == symbol.length()) {
                return name;
            }
            String list = demangler.signature();
            return demangler.at == symbol.length() ? name + "(" + list + ")" : symbol;
        } catch (Beyond | IndexOutOfBoundsException | NumberFormatException e) {
            return symbol;
        }
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private boolean take(String prefix) {
        boolean there = text.startsWith(prefix, at);
        at += there ? prefix.length() : 0;
        return there;
    }

    private void enter() {
        if (++depth > DEPTH) {
            throw new Beyond();
        }
    }

    private String bounded(String grown) {
        if (grown.length() > LONGEST) {
            throw new Beyond();
        }
        return grown;
    }

    private String remember(String part) {
        substitutions.add(bounded(part));
        return part;
    }

    // Names.

    private String encodedName() {
        templated = false;
        if (peek() == 'N') {
            return nested();
        }
        if (peek() == 'Z') {
            return localName();
        }
        String name;
        if (peek() == 'S' && !text.startsWith("St", at)) {
            name = substitution();
        } else {
            name = take("St") ? "std::" + sourceName() : sourceName();
            if (peek() == 'I') {
                remember(name);
            }
        }
        return peek() == 'I' ? withTemplateArguments(name) : name;
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
        enter();
        at++;
        String function = encodedName();
        if (peek() != 'E') {
            function += "(" + signature() + ")";
        }
        require("E");
        String name = sourceName();
        if (take("_")) {
            // The number of several of that name.
            while (Character.isDigit(peek()) || peek() == '_') {
                at++;
            }
        }
        depth--;
        inner = name;
        return bounded(function + "::" + name);
    }

    private String nested() {
        enter();
        at++;
        while ("rVK".indexOf(peek()) >= 0) {
            at++;
        }
        String name = "";
        String last = "";
        while (!take("E")) {
            templated = false;
            if (peek() == 'I') {
                name = remember(withTemplateArguments(name));
                templated = true;
                continue;
            }
            if (peek() == 'S') {
                name = substitution();
                continue;
            }
            if (peek() == 'T') {
                name = templateParameter();
                remember(name);
                continue;
            }
            last = peek() == 'C' || peek() == 'D' ? structor(last) : sourceName();
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
        depth--;
        return bounded(name);
    }

    private String structor(String of) {
        boolean destructor = peek() == 'D';
        at += 2;
        return destructor ? "~" + of : of;
    }

    private String sourceName() {
        int start = at;
        while (Character.isDigit(peek())) {
            at++;
        }
        if (at == start || at - start > 4) {
            throw new Beyond();
        }
        int length = Integer.parseInt(text.substring(start, at));
        String name = text.substring(at, at + length);
        at += length;
        return name.startsWith("_GLOBAL__N") ? "(anonymous namespace)" : name;
    }

    private String withTemplateArguments(String name) {
        templated = true;
        List<String> arguments = templateArguments();
        templateArguments = arguments;
        return bounded(name + "<" + joined(arguments) + ">");
    }

    /// With commas between; an empty pack is nothing.
    private static String joined(List<String> parts) {
        return String.join(", ", parts.stream().filter(part -> !part.isEmpty()).toList());
    }

    private List<String> templateArguments() {
        enter();
        at++;
        List<String> arguments = new ArrayList<>();
        while (!take("E")) {
            arguments.add(peek() == 'J' ? pack() : templateArgument());
        }
        depth--;
        return arguments;
    }

    /// The arguments of a pack, as one.
    private String pack() {
        at++;
        List<String> arguments = new ArrayList<>();
        while (!take("E")) {
            arguments.add(templateArgument());
        }
        return String.join(", ", arguments);
    }

    private String templateArgument() {
        if (!take("L")) {
            return type();
        }
        if (take("_Z")) {
            String name = encodedName();
            if (peek() != 'E') {
                name += "(" + parameters() + ")";
            }
            require("E");
            return "&" + name;
        }
        String type = type();
        int end = text.indexOf('E', at);
        if (end < 0) {
            throw new Beyond();
        }
        String value = text.substring(at, end).replace('n', '-');
        at = end + 1;
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

    private void require(String next) {
        if (!take(next)) {
            throw new Beyond();
        }
    }

    // Types.

    private String parameters() {
        List<String> types = new ArrayList<>();
        while (at < text.length() && peek() != 'E') {
            types.add(type());
        }
        return types.equals(List.of("void")) ? "" : joined(types);
    }

    private String type() {
        enter();
        String type = unboundedType();
        depth--;
        return bounded(type);
    }

    private String unboundedType() {
        char kind = peek();
        String builtin = MangledNames.BUILTIN.get(kind);
        if (builtin != null) {
            at++;
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
                yield peek() == 'I' ? remember(appended(parameter)) : parameter;
            }
            case 'S' -> {
                boolean standard = text.startsWith("St", at);
                String name = standard ? encodedTypeName() : substitution();
                yield !standard && peek() == 'I' ? remember(appended(name)) : name;
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

    /// A pointer to a function stands before its parameters, one to an array before its extent.
    private String wrapped(String suffix) {
        at++;
        char of = peek();
        String inner = type();
        return remember(
                switch (of) {
                    case 'F' -> inner.replaceFirst(" \\(", "(" + suffix + ")(");
                    case 'A' -> inner.replaceFirst(" \\[", " (" + suffix + ") [");
                    default -> inner + suffix;
                });
    }

    private String function() {
        at++;
        take("Y");
        String result = type();
        String parameters = parameters();
        require("E");
        return remember(result + " (" + parameters + ")");
    }

    private String array() {
        at++;
        int end = text.indexOf('_', at);
        String extent = text.substring(at, end);
        at = end + 1;
        return remember(type() + " [" + extent + "]");
    }

    private String special() {
        if (take("Dp")) {
            if (peek() != 'T') {
                throw new Beyond(); // a pattern around each type of a pack
            }
            return type();
        }
        if (take("Dn")) {
            return "decltype(nullptr)";
        }
        if (take("DF16_")) {
            return "_Float16";
        }
        throw new Beyond();
    }

    private String templateParameter() {
        int index = index("T");
        if (index >= templateArguments.size()) {
            throw new Beyond();
        }
        return templateArguments.get(index);
    }

    private String substitution() {
        for (Map.Entry<String, String> standard : MangledNames.STANDARD.entrySet()) {
            if (take(standard.getKey())) {
                return standard.getValue();
            }
        }
        return substitutions.get(index("S"));
    }

    /// `S_` is the first, `S0_` the second; digits to base 36 for substitutions, 10 otherwise.
    private int index(String letter) {
        require(letter);
        int end = text.indexOf('_', at);
        if (end < 0 || end - at > 5) {
            throw new Beyond();
        }
        String digits = text.substring(at, end);
        at = end + 1;
        return digits.isEmpty() ? 0 : 1 + Integer.parseInt(digits, letter.equals("S") ? 36 : 10);
    }
}
