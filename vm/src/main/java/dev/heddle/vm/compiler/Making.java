package dev.heddle.vm.compiler;

import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;

import java.util.Collections;
import java.util.List;

/// How a chunk of an operation's result is made: what tables of known operations have.
///
/// @param <E> who has what it takes
interface Making<E> {
    /// Makes a chunk.
    ///
    /// @param made the vector that the chunk goes to
    void emit(E in, List<Source> sources, int chunk, int made);

    /// The function that a whole instruction is, all of one type.
    static Operation instruction(String mnemonic, ScalarType type, int operands) {
        return Operation.instruction(mnemonic, type, Collections.nCopies(operands, type), type);
    }
}
