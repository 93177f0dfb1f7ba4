package dev.heddle.ptx.check;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.instruction.BoundInstruction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which registers instructions write and read.
final class Writes {

    /// Registers are told apart by name and declaration: blocks may declare a name again.
    record Name(String text, @Nullable Object declaredAt) {
        static Name of(Operand.Register register) {
            return new Name(
                    register.name(),
                    register.declaration() == null ? null : register.declaration().position());
        }
    }

    private final Map<Name, BoundInstruction> single = new HashMap<>();

    /// Finds the registers of a flow that have exactly one definition.
    Writes(Flow flow) {
        Set<Name> several = new HashSet<>();
        for (BoundInstruction instruction : flow.instructions()) {
            for (Name name : written(instruction)) {
                if (!several.contains(name) && single.put(name, instruction) != null) {
                    several.add(name);
                    single.remove(name);
                }
            }
        }
    }

    /// The only instruction that writes a register, or null where there are none or several.
    @Nullable BoundInstruction definition(Operand operand) {
        return operand instanceof Operand.Register register && register.component() == null
                ? single.get(Name.of(register))
                : null;
    }

    static List<Name> written(BoundInstruction instruction) {
        List<Name> names = new ArrayList<>();
        instruction.written().forEach(operand -> collect(operand, names));
        return names;
    }

    static List<Name> read(BoundInstruction instruction) {
        List<Name> names = new ArrayList<>();
        instruction.read().forEach(operand -> collectAll(operand, names));
        return names;
    }

    /// The registers that are in an operand as values, not inside addresses.
    static void collect(Operand operand, List<Name> names) {
        switch (operand) {
            case Operand.Register register -> names.add(Name.of(register));
            case Operand.Vector(List<Operand> elements, _) ->
                    elements.forEach(element -> collect(element, names));
            case Operand.Arguments(List<Operand> arguments, _) ->
                    arguments.forEach(argument -> collect(argument, names));
            case Operand.Pair(Operand first, Operand second, _) -> {
                collect(first, names);
                collect(second, names);
            }
            default -> {}
        }
    }

    private static void collectAll(Operand operand, List<Name> names) {
        switch (operand) {
            case Operand.Address address -> collectAll(address.base(), names);
            case Operand.AddressList(List<Operand> parts, _) ->
                    parts.forEach(part -> collectAll(part, names));
            case Operand.Negated negated -> collectAll(negated.operand(), names);
            default -> collect(operand, names);
        }
    }
}
