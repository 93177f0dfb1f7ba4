package dev.heddle.ptx.check;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.Variable;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds names that nothing declares.
record NameChecker(SymbolScope names, List<Problem> problems) {
    private static final Pattern NUMBERED = Pattern.compile("(%[a-zA-Z_]+)([0-9]{1,6})");

    /// The types that nvcc gives registers of these names.
    private static final Map<String, String> USUAL_TYPES =
            Map.of(
                    "%p",
                    ".pred", "%rs", ".b16", "%r", ".b32", "%rd", ".b64", "%f", ".f32", "%fd",
                    ".f64");

    /// Whether every name in an operand is declared.
    boolean known(Operand operand) {
        return switch (operand) {
            case Operand.Register register -> register(register);
            case Operand.Symbol symbol -> symbol(symbol);
            case Operand.Address address -> known(address.base());
            case Operand.Element(Operand.Symbol array, Operand.Register index, _, _) ->
                    known(array) && (index == null || known(index));
            case Operand.AddressList(List<Operand> parts, _) -> all(parts);
            case Operand.Vector(List<Operand> elements, _) ->
                    all(elements) && oneSize(operand, elements);
            case Operand.Arguments(List<Operand> arguments, _) -> all(arguments);
            case Operand.Negated negated -> known(negated.operand());
            case Operand.Pair(Operand first, Operand second, _) -> all(List.of(first, second));
            case Operand.SpecialRegister _, Operand.Immediate _, Operand.Sink _ -> true;
        };
    }

    private boolean all(List<Operand> operands) {
        boolean known = true;
        for (Operand operand : operands) {
            known &= known(operand);
        }
        return known;
    }

    private boolean oneSize(Operand vector, List<Operand> elements) {
        int bits = 0;
        for (Operand element : elements) {
            if (element instanceof Operand.Register register && register.declaration() != null) {
                int width = register.declaration().type().bits();
                if (bits != 0 && width != bits && bits != 1 && width != 1) {
                    add("mixed-vector-elements.name", vector);
                    return false;
                }
                bits = width;
            }
        }
        return true;
    }

    /// What to write for a register that is not there: of a name like the compiler's, the type
    /// that the compiler gives such names.
    private static String declaring(String name) {
        Matcher numbered = NUMBERED.matcher(name);
        if (!numbered.matches()) {
            return "declare it: .reg TYPE " + name + ";";
        }
        String prefix = numbered.group(1);
        String type = USUAL_TYPES.getOrDefault(prefix, "TYPE");
        return "declare it: .reg %s %s<%d>; or raise the count of the range that is there: %s<n> declares %s0 to %s(n-1)"
                .formatted(
                        type,
                        prefix,
                        1 + Integer.parseInt(numbered.group(2)),
                        prefix,
                        prefix,
                        prefix);
    }

    private boolean register(Operand.Register register) {
        Variable declaration = register.declaration();
        if (declaration == null) {
            add("undeclared-register", register, register.name(), declaring(register.name()));
            return false;
        }
        String component = register.component();
        if (component != null && !isComponent(component, declaration.vector())) {
            add(
                    declaration.vector() == 1
                            ? "unknown-component.scalar"
                            : "unknown-component.vector",
                    register,
                    register.name(),
                    declaration.vector() == 1 ? component : declaration.vector());
            return false;
        }
        return true;
    }

    private static boolean isComponent(String component, int width) {
        if (component.length() != 1) {
            return false;
        }
        int index = Math.max("xyzw".indexOf(component), "rgba".indexOf(component));
        return width > 1 && index >= 0 && index < width;
    }

    private boolean symbol(Operand.Symbol symbol) {
        if (symbol.variable() != null
                || names.isFunction(symbol.name())
                || names.label(symbol.name()) != null) {
            return true;
        }
        add("unknown-name", symbol, symbol.name());
        return false;
    }

    private void add(String wording, Operand operand, Object... more) {
        problems.add(Problem.of(wording, operand, more));
    }
}
