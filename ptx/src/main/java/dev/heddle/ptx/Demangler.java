package dev.heddle.ptx;

import dev.heddle.ptx.NamePart.Declared;

import java.util.function.BiFunction;
import java.util.regex.Pattern;

/// Names of C++ from those that compilers give them, by the rules of the Itanium C++ ABI, section
/// 5.1 (`_Z3addPf` is `add(float*)`): as `c++filt` has them, but without the type of the result,
/// with `>>` for `> >`, and without the namespaces that nvcc gives a file's own names. What goes
/// beyond stays as it is.
public final class Demangler {
    /// What is behind the name of a part or copy that a compiler made of a function.
    private static final Pattern CLONES = Pattern.compile("(\\.[a-z_0-9]+(\\.[0-9]+)*)*");

    private static final Pattern CLONE = Pattern.compile("\\.[a-z_0-9]+(\\.[0-9]+)*");

    private Demangler() {}

    /// The whole name, with parameters; the symbol itself where it is no C++ name.
    public static String demangle(String symbol) {
        return read(symbol, (_, encoding) -> encoding.plain());
    }

    /// The name without parameters and result: `ns::kernel<float>`.
    public static String nameOf(String symbol) {
        return read(symbol, (_, encoding) -> encoding.name());
    }

    /// What the source calls a variable where it is: `tile` for one inside of a function,
    /// `ns::tile` for one outside.
    public static String variableOf(String symbol) {
        return symbol.startsWith("_ZZ")
                ? read(symbol, (names, _) -> names.inner())
                : nameOf(symbol);
    }

    private static String read(
            String symbol, BiFunction<MangledNameParser, Declared, NamePart> which) {
        if (!symbol.startsWith("_Z")) {
            return symbol;
        }
        try {
            MangledText text = new MangledText(symbol, 2);
            MangledNameParser names = new MangledNameParser(text);
            NamePart part = which.apply(names, names.encoding());
            String end = text.rest();
            return CLONES.matcher(end).matches()
                    ? NameWriter.written(part) + CLONE.matcher(end).replaceAll(" [clone $0]")
                    : symbol;
        } catch (MangledText.Beyond | IndexOutOfBoundsException | NumberFormatException e) {
            return symbol;
        }
    }
}
