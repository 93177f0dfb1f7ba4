package dev.heddle.vm.advice;

import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.compiler.LaneVaryingRegisters;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Step;

import java.util.Objects;

/// What the machine code of an atomic operation does, as far as its PTX tells: seen in what
/// `ptxas` 13.0 makes for sm_90, and in the counters of an H100.
///
/// The assembler makes one of the lanes that go to an address which it knows to be that of all.
///
/// @param operation on global memory
/// @param isOneInShared whether lanes are one before they come to shared memory
/// @param isOneInGlobal whether they are before they come to global memory
/// @param isLoop whether shared memory has no such operation: the code is a loop of
///     compare-and-swap, or is one
record AtomicCosts(
        Operation operation, boolean isOneInShared, boolean isOneInGlobal, boolean isLoop) {

    static AtomicCosts of(Step.Atomic step, Code code) {
        AtomicOperator operator = step.operator();
        boolean isRead =
                step.targets().stream()
                        .filter(Objects::nonNull)
                        .anyMatch(target -> isRead(target, code));
        boolean isWord = step.operands().size() == 1 && isWord(step.type());
        boolean isOne =
                isWord
                        && !(step.base() instanceof Register base
                                && new LaneVaryingRegisters(code).holds(base));
        boolean isExchange = operator == AtomicOperator.EXCHANGE;
        return new AtomicCosts(
                isRead ? Operation.ATOMIC : Operation.REDUCTION,
                isOne && operator == AtomicOperator.ADD,
                isOne && (operator == AtomicOperator.ADD || !isRead && isReduced(operator)),
                operator == AtomicOperator.COMPARE_AND_SWAP || !isWord && !isExchange);
    }

    /// Whether it is an integer of 32 bits.
    private static boolean isWord(ScalarType type) {
        return switch (type) {
            case B32, S32, U32 -> true;
            default -> false;
        };
    }

    /// Whether `redux` has it.
    private static boolean isReduced(AtomicOperator operator) {
        return switch (operator) {
            case ADD, MINIMUM, MAXIMUM, AND, OR, XOR -> true;
            case INCREMENT, DECREMENT, EXCHANGE, COMPARE_AND_SWAP -> false;
        };
    }

    private static boolean isRead(Register register, Code code) {
        for (Block block : code.blocks()) {
            boolean inExit =
                    block.exit().reads().contains(register)
                            || block.exit().readsOfSuppliers().contains(register);
            if (inExit
                    || block.steps().stream().anyMatch(step -> step.reads().contains(register))) {
                return true;
            }
        }
        return false;
    }
}
