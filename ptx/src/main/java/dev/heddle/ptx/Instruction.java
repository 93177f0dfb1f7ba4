package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// An instruction of a body.
///
/// Every instruction has the generic form, whatever else it has.
public sealed interface Instruction extends Statement permits GenericInstruction, TypedInstruction {

    /// The form the text has: opcode, qualifiers and operands.
    GenericInstruction generic();

    /// The predicate in front of it, or null.
    default @Nullable Guard guard() {
        return generic().guard();
    }

    /// The operands in order.
    default List<Operand> operands() {
        return generic().operands();
    }

    @Override
    default Position position() {
        return generic().position();
    }
}
