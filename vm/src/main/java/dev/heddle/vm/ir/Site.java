package dev.heddle.vm.ir;

import dev.heddle.ptx.GenericInstruction;
import dev.heddle.ptx.Position;

import org.jspecify.annotations.Nullable;

/// The PTX instruction that a step came from.
///
/// @param number of the instruction in its program, from 0
/// @param instruction as parsed
/// @param source the `.loc` in force as `file:line`, or null
public record Site(int number, GenericInstruction instruction, @Nullable String source) {

    /// Where it stands in the PTX file.
    public Position position() {
        return instruction.position();
    }

    @Override
    public String toString() {
        return position() + " " + instruction.mnemonic();
    }
}
