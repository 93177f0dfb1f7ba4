package dev.heddle.vm;

import dev.heddle.formats.InputException;
import dev.heddle.ptx.Demangler;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/// How people name a symbol of a module: as PTX spells it, as C++ writes it, or by a part that only
/// one symbol has.
public final class NamedSymbols {
    private static final int SHOWN = 8;

    private NamedSymbols() {}

    /// The symbol that is meant.
    ///
    /// @param kind of symbol, for messages: `kernel`
    /// @param asked what the user wrote
    /// @param symbols all there are
    /// @throws InputException where none or several are meant
    public static String find(String kind, String asked, Collection<String> symbols) {
        if (symbols.contains(asked)) {
            return asked;
        }
        // Profilers write the result of a kernel before its name.
        String spaceless = spaceless(asked.startsWith("void ") ? asked.substring(5) : asked);
        List<Predicate<String>> ways =
                List.of(
                        symbol -> spaceless(Demangler.demangle(symbol)).equals(spaceless),
                        symbol -> spaceless(Demangler.nameOf(symbol)).equals(spaceless),
                        symbol ->
                                symbol.contains(asked)
                                        || spaceless(Demangler.demangle(symbol))
                                                .contains(spaceless));
        for (Predicate<String> way : ways) {
            List<String> found = symbols.stream().filter(way).toList();
            if (found.size() == 1) {
                return found.getFirst();
            }
            if (found.size() > 1) {
                throw new InputException(
                        "%s %s: %d of the module are meant: %s"
                                .formatted(kind, asked, found.size(), list(found)));
            }
        }
        throw new InputException(
                symbols.isEmpty()
                        ? "no %s %s: this module has none".formatted(kind, asked)
                        : "no %s %s; this module has %s".formatted(kind, asked, list(symbols)));
    }

    /// Symbols for a message: as C++ writes them, the first few.
    public static String list(Collection<String> symbols) {
        String first =
                String.join(", ", symbols.stream().limit(SHOWN).map(Demangler::demangle).toList());
        return symbols.size() > SHOWN
                ? "%s and %d more".formatted(first, symbols.size() - SHOWN)
                : first;
    }

    private static String spaceless(String name) {
        return name.replace(" ", "");
    }
}
