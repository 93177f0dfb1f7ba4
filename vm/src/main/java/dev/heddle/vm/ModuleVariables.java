package dev.heddle.vm;

import dev.heddle.formats.InputException;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.memory.Buffer;

import java.util.Map;
import java.util.TreeMap;

/// The variables of a module that a launch can set: those in `.global` and `.const` memory.
public final class ModuleVariables {
    private final Map<String, Buffer> places = new TreeMap<>();

    /// Those of a module.
    public ModuleVariables(Program program) {
        for (Program.Symbol symbol : program.symbols()) {
            if (symbol.visible()) {
                places.putIfAbsent(symbol.name(), Buffer.of(symbol));
            }
        }
    }

    /// The variable that a name stands for, large enough for a value.
    ///
    /// @throws InputException where there is none or the value does not fit
    public Buffer find(String name, Argument value) {
        Buffer place = places.get(NamedSymbols.find("variable", name, places.keySet()));
        if (place == null) {
            throw new IllegalStateException(name);
        }
        int size = size(value);
        // What is left of an array keeps its initial value; half of a number is a slip.
        boolean number = place.bytes() <= Long.BYTES;
        if (size > place.bytes() || number && size < place.bytes()) {
            throw new InputException(
                    "variable %s has %d bytes, its value %d"
                            .formatted(place.name(), place.bytes(), size));
        }
        return place;
    }

    /// How many bytes a value has.
    public static int size(Argument value) {
        return switch (value) {
            case Argument.Value(byte[] bytes) -> bytes.length;
            case Argument.Structure(byte[] bytes, _) -> bytes.length;
            case Argument.Buffer _ -> Long.BYTES;
            case Argument.Embedded one -> one.size();
        };
    }
}
