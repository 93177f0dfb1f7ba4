package dev.heddle.vm.ir;

import dev.heddle.ptx.GenericInstruction;
import dev.heddle.ptx.Position;
import dev.heddle.ptx.instruction.BoundInstruction;

import org.jspecify.annotations.Nullable;

/// The PTX instruction that a step came from.
///
/// @param number of the instruction in its program, from 0
/// @param bound the instruction, bound to its form
/// @param source the `.loc` in force as `file:line`, or null
public record Site(int number, BoundInstruction bound, @Nullable String source) {

    /// The instruction as parsed.
    public GenericInstruction instruction() {
        return bound.instruction();
    }

    /// The section of the manual that has its syntax.
    public String section() {
        return bound.section();
    }

    /// Where it stands in the PTX file.
    public Position position() {
        return bound.position();
    }

    @Override
    public String toString() {
        return position() + " " + bound.mnemonic();
    }
}
