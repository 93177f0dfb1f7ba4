package dev.heddle.ptx.check;

import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Variable;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.InstructionForm.OperandForm;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Checks address operands: what the base is, and in which state space (PTX ISA 6.4.1).
record AddressChecker(
        Instruction instruction, FormMatch binding, SymbolScope names, List<Problem> problems) {
    void check(OperandForm place, Operand operand) {
        if (!new NameChecker(names, problems).known(operand)) {
            return;
        }
        if (operand instanceof Operand.AddressList(List<Operand> parts, _)
                && parts.getFirst() instanceof Operand.Address first
                && first.displaced()) {
            add("wrong-operand-kind.displaced", operand, first);
            return;
        }
        if (place.type().equals("texture")) {
            new TextureAddress(instruction, binding, problems).check(operand);
            return;
        }
        String space = place.type().isEmpty() ? binding.space() : place.type();
        boolean tensor = place.type().equals("tensor");
        switch (operand) {
            case Operand.AddressList list -> list(list, tensor);
            case Operand.Address address -> {
                if (tensor) {
                    add("wrong-operand-kind.map-alone", operand);
                } else if (isReference(place)) {
                    reference(address, place.type());
                } else if (!"any".equals(space)) {
                    base(address, address.base(), space);
                } else if (address.base() instanceof Operand.Register register) {
                    register(register);
                }
            }
            case Operand.Element element -> element(element, space);
            default -> {}
        }
    }

    private void list(Operand.AddressList list, boolean tensor) {
        if (tensor && list.parts().size() == 2) {
            coordinates(list.parts().get(1));
            return;
        }
        add(tensor ? "wrong-operand-kind.map" : "wrong-operand-kind.several", list);
    }

    private void element(Operand.Element element, @Nullable String space) {
        Variable array = element.array().variable();
        if (array != null && !array.isArray()) {
            add("wrong-operand-kind.array", element, array);
        } else {
            space(element, element.array(), space);
        }
    }

    private void coordinates(Operand operand) {
        String dimension = binding.word("dim");
        String load = binding.word("load");
        String store = binding.word("store");
        int expected = dimension == null ? 0 : dimension.charAt(0) - '0';
        if ("tile::gather4".equals(load) || "tile::scatter4".equals(store)) {
            expected = 5;
        }
        if (!(operand instanceof Operand.Vector(List<Operand> elements, _))) {
            add("wrong-operand-kind.coordinates", operand);
        } else if (elements.size() != expected) {
            add("wrong-vector-size.coordinates", operand, elements.size(), instruction, expected);
        } else {
            OperandChecker checker = new OperandChecker(instruction, binding, names);
            for (Operand element : elements) {
                checker.typed(ScalarType.S32, false, false, element);
            }
            problems.addAll(checker.collected());
        }
    }

    private void base(Operand address, Operand base, @Nullable String space) {
        switch (base) {
            case Operand.Register register -> register(register);
            case Operand.Symbol symbol -> space(address, symbol, space);
            case Operand.Element element -> space(address, element.array(), space);
            case Operand.Immediate _ -> {
                if (!"local".equals(space)) {
                    add("constant-address", address);
                }
            }
            default -> add("wrong-operand-kind.base", address, base);
        }
    }

    private void register(Operand.Register register) {
        Variable declaration = register.declaration();
        if (declaration == null) {
            return;
        }
        ScalarType type = declaration.type();
        boolean integer = type.kind() == ScalarType.Kind.BITS || type.isInteger();
        if (!integer
                || type.bits() < 32
                || type.bits() > 64
                || (declaration.vector() > 1 && register.component() == null)) {
            add("wrong-address-type", register, type);
        }
    }

    /// Whether it is the place of a texture or surface that is asked about itself.
    private static boolean isReference(OperandForm place) {
        return place.type().equals("texref") || place.type().equals("surfref");
    }

    /// A reference by its name, or a register with the handle of one (9.7.10.5, 9.7.11.4).
    private void reference(Operand.Address address, String kind) {
        boolean plain = !address.displaced();
        boolean fits =
                switch (address.base()) {
                    case Operand.Register register ->
                            register.declaration() == null
                                    || Compatibility.register(
                                            ScalarType.U64, register.declaration().type(), false);
                    case Operand.Symbol symbol ->
                            symbol.variable() != null
                                    && symbol.variable().type().kind() == ScalarType.Kind.OPAQUE
                                    && (symbol.variable().type() == ScalarType.SURFREF)
                                            == kind.equals("surfref");
                    default -> false;
                };
        if (!fits || !plain) {
            add(
                    plain
                            ? "wrong-operand-kind.reference"
                            : "wrong-operand-kind.displaced-reference",
                    address,
                    kind);
        }
    }

    /// Reports a variable in another space than the instruction's.
    void space(Operand at, Operand.Symbol symbol, @Nullable String space) {
        Variable variable = symbol.variable();
        if (variable == null) {
            add("wrong-operand-kind.no-variable", at, symbol.name());
            return;
        }
        StateSpace actual = variable.space();
        if (space != null) {
            if (!actual.keyword().equals(space)) {
                add("wrong-state-space", at, symbol.name(), actual, instruction, space);
            }
        } else if (actual != StateSpace.GLOBAL
                && actual != StateSpace.SHARED
                && actual != StateSpace.LOCAL) {
            String opcode = instruction.opcode();
            add("wrong-state-space.generic", at, symbol.name(), actual, instruction, opcode);
        }
    }

    private void add(String wording, Operand operand, Object... more) {
        problems.add(Problem.of(wording, operand, more));
    }
}
