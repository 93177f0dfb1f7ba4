package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.RegisterNumbers;
import dev.heddle.vm.ir.Step;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Which registers are still read: a backward data flow over the control flow graph.
///
/// Registers that are results are read by a return.
///
/// A definition ends liveness only where it has no guard. Lanes that do not take part keep their
/// values in the lane arrays, so a partial mask needs no care.
///
/// Where a step may fail, the registers count as read that its instruction has read before: the
/// message tells what they hold ([#told]).
///
/// Time and memory are linear in the code: a set for each block holds only the registers that cross
/// blocks, and where even those sets would be large, or do not settle, every such register counts
/// as read.
final class Liveness {
    /// Bits of all sets together.
    private static final long MOST_BITS = 1L << 30;

    /// Rounds over all blocks. Code of compilers settles within the depth of its loops and two.
    private static final int MOST_ROUNDS = 50;

    private final Code code;
    private final RegisterNumbers numbers;
    private final BitSet results = new BitSet();
    private final BitSet live = new BitSet();
    private final BitSet[] in;
    private final boolean settled;

    Liveness(Code code) {
        this(code, MOST_BITS);
    }

    /// For tests.
    ///
    /// @param mostBits of all sets together
    Liveness(Code code, long mostBits) {
        this.code = code;
        numbers = new RegisterNumbers(code);
        for (Code.Parameter result : code.results()) {
            result.registers().forEach(register -> results.set(numbers.of(register)));
        }
        in = new BitSet[code.blocks().size()];
        settled = (long) in.length * numbers.crossing() <= mostBits && settle();
    }

    private boolean settle() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            boolean changed = false;
            for (int i = in.length - 1; i >= 0; i--) {
                Block block = code.blocks().get(i);
                live.clear();
                enter(block);
                block.steps().reversed().forEach(this::before);
                if (!live.equals(in[i])) {
                    in[i] = (BitSet) live.clone();
                    changed = true;
                }
            }
            if (!changed) {
                return true;
            }
        }
        return false;
    }

    /// What may be read before it is written, by numbers.
    BitSet entry() {
        if (settled && in.length > 0) {
            return in[0];
        }
        BitSet all = new BitSet();
        all.set(0, numbers.crossing());
        return all;
    }

    /// Whether it is known for each block, and not just assumed of all registers.
    boolean isSettled() {
        return settled;
    }

    /// The registers that are read from the beginning of a block on, by their numbers.
    BitSet startOf(Block block) {
        if (!settled) {
            throw new IllegalStateException("liveness is not known");
        }
        return in[block.number()];
    }

    RegisterNumbers numbers() {
        return numbers;
    }

    /// A point in a block, at first behind its last step. It holds until the next is asked for.
    Point endOf(Block block) {
        live.clear();
        if (settled) {
            enter(block);
        } else {
            live.set(0, numbers.crossing());
            exit(block.exit());
        }
        return new Point(block.steps());
    }

    /// The registers of the program that earlier steps of the same instruction read: where this
    /// one fails, the message tells what they hold.
    ///
    /// @param index of a step
    static List<Register> told(List<Step> steps, int index) {
        Step step = steps.get(index);
        List<Register> told = new ArrayList<>();
        if (step instanceof Step.Compute) {
            return told;
        }
        for (int i = index - 1; i >= 0 && steps.get(i).site().equals(step.site()); i--) {
            steps.get(i).reads().stream().filter(Register::isDeclared).forEach(told::add);
        }
        return told;
    }

    /// A point that goes backwards through the steps of a block.
    final class Point {
        private final List<Step> steps;
        private int index;

        private Point(List<Step> steps) {
            this.steps = steps;
            index = steps.size();
        }

        /// Whether a register is read from here on.
        boolean reads(Register register) {
            return live.get(numbers.of(register));
        }

        /// All registers that are read from here on, by their numbers.
        BitSet live() {
            return (BitSet) live.clone();
        }

        /// Goes to before the step that stands before this point.
        void passBack() {
            index--;
            before(steps.get(index));
            told(steps, index).forEach(source -> live.set(numbers.of(source)));
        }
    }

    /// What is read from the end of a block's steps on.
    private void enter(Block block) {
        for (int successor : block.exit().successors()) {
            if (in[successor] != null) {
                live.or(in[successor]);
            }
        }
        exit(block.exit());
    }

    private void before(Step step) {
        if (step.guard() == null) {
            step.writes().forEach(target -> live.clear(numbers.of(target)));
        }
        step.reads().forEach(source -> live.set(numbers.of(source)));
    }

    private void exit(Exit exit) {
        exit.reads().forEach(source -> live.set(numbers.of(source)));
        exit.readsOfSuppliers().forEach(source -> live.set(numbers.of(source)));
        if (exit instanceof Exit.Return) {
            live.or(results);
        }
    }
}
