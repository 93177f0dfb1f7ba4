package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
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
    private static final String LEAVE_OUT = "leave the offset out";

    void check(OperandForm place, Operand operand) {
        if (!new NameChecker(names, problems).known(operand)) {
            return;
        }
        if (operand instanceof Operand.AddressList(List<Operand> parts, _)
                && parts.getFirst() instanceof Operand.Address first
                && first.displaced()) {
            add(
                    Rule.WRONG_OPERAND_KIND,
                    operand,
                    OperandExcerpt.of(first) + ", an address with an offset, before coordinates",
                    LEAVE_OUT);
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
                    add(
                            Rule.WRONG_OPERAND_KIND,
                            operand,
                            OperandExcerpt.of(operand) + " where [map, {coordinates}] must stand",
                            "write [map, {x, y}] with one coordinate a dimension");
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
        add(
                Rule.WRONG_OPERAND_KIND,
                list,
                OperandExcerpt.of(list)
                        + " where "
                        + (tensor ? "[map, {coordinates}]" : "one address")
                        + " must stand",
                tensor ? "write [map, {x, y}]" : "write one register or name");
    }

    private void element(Operand.Element element, @Nullable String space) {
        Variable array = element.array().variable();
        if (array != null && !array.isArray()) {
            add(
                    Rule.WRONG_OPERAND_KIND,
                    element,
                    array.name() + " is no array",
                    "write [" + array.name() + "+offset]");
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
            add(
                    Rule.WRONG_OPERAND_KIND,
                    operand,
                    OperandExcerpt.of(operand) + " where coordinates in braces must stand",
                    "write {x, y} with one coordinate a dimension");
        } else if (elements.size() != expected) {
            add(
                    Rule.WRONG_VECTOR_SIZE,
                    operand,
                    "%s has %s coordinates; %s takes %s"
                            .formatted(
                                    OperandExcerpt.of(operand),
                                    elements.size(),
                                    instruction.mnemonic(),
                                    expected),
                    "write " + expected + ", the innermost dimension first");
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
                    add(
                            Rule.CONSTANT_ADDRESS,
                            address,
                            "the constant address "
                                    + OperandExcerpt.of(address)
                                    + "; only .local takes one",
                            "put it into a register first");
                }
            }
            default ->
                    add(
                            Rule.WRONG_OPERAND_KIND,
                            address,
                            OperandExcerpt.of(base) + " cannot be an address",
                            "mov it into a register first");
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
            add(
                    Rule.WRONG_ADDRESS_TYPE,
                    register,
                    register
                            + " is ."
                            + type.keyword()
                            + "; an address is an integer of 32 or 64 bits",
                    "use a .b64 register");
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
                    Rule.WRONG_OPERAND_KIND,
                    address,
                    OperandExcerpt.of(address)
                            + " where a ."
                            + kind
                            + " or a register with its handle must stand",
                    plain ? "name a variable of ." + kind + ", or a .u64 register" : LEAVE_OUT);
        }
    }

    /// Reports a variable in another space than the instruction's.
    void space(Operand at, Operand.Symbol symbol, @Nullable String space) {
        Variable variable = symbol.variable();
        if (variable == null) {
            add(
                    Rule.WRONG_OPERAND_KIND,
                    at,
                    symbol.name()
                            + " is no variable; only a variable or a register can be an address",
                    "declare the variable before this line, or use a register");
            return;
        }
        StateSpace actual = variable.space();
        String keyword = actual.keyword();
        boolean fits =
                space == null
                        ? actual == StateSpace.GLOBAL
                                || actual == StateSpace.SHARED
                                || actual == StateSpace.LOCAL
                        : keyword.equals(space);
        if (!fits) {
            add(
                    Rule.WRONG_STATE_SPACE,
                    at,
                    "%s lives in .%s; %s addresses %s"
                            .formatted(
                                    symbol.name(),
                                    keyword,
                                    instruction.mnemonic(),
                                    space == null ? "generic memory" : "." + space),
                    space == null
                            ? "write " + instruction.opcode() + "." + keyword
                            : "use ." + keyword + " instead of ." + space);
        }
    }

    private void add(Rule rule, Operand operand, String message, String remedy) {
        problems.add(Problem.of(rule, operand, message, remedy));
    }
}
