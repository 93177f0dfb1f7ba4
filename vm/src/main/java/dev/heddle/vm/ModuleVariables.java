package dev.heddle.vm;

import dev.heddle.ptx.Module;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Variable;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.memory.Buffer;

import java.util.LinkedHashMap;
import java.util.Map;

/// The variables of a module that a launch can set: those in `.global` and `.const` memory.
public final class ModuleVariables {
    private final Map<String, Buffer> places = new LinkedHashMap<>();

    /// Those of a module.
    public ModuleVariables(Program program) {
        Module module = program.module();
        for (Variable variable : module.variables()) {
            Long address = program.symbols().get(variable.name());
            if (address != null
                    && (variable.space() == StateSpace.GLOBAL
                            || variable.space() == StateSpace.CONST)) {
                places.put(
                        variable.name(),
                        new Buffer(variable.name(), address, variable.sizeInBytes()));
            }
        }
    }

    /// The variable that a name stands for, large enough for a value.
    ///
    /// @throws IllegalArgumentException where there is none or the value does not fit
    public Buffer find(String name, Argument value) {
        Buffer place = places.get(NamedSymbols.find("variable", name, places.keySet()));
        if (place == null) {
            throw new IllegalStateException(name);
        }
        int size = size(value);
        // What is left of an array keeps its initial value; half of a number is a slip.
        boolean number = place.bytes() <= Long.BYTES;
        if (size > place.bytes() || number && size < place.bytes()) {
            throw new IllegalArgumentException(
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
