package dev.heddle.vm.lowering;

import dev.heddle.ptx.LoadLimit;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.RegisterNumbers;
import dev.heddle.vm.ir.Step;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.BitSet;

/// Which registers every path has written: a forward data flow over the control flow graph.
///
/// A copy of a register that is not written does not write. Time and memory are linear in the code:
/// where the sets would be large, or do not settle, no register counts as written where a block
/// begins.
final class WrittenRegisters {
    /// Bits of all sets together.
    private static final long MOST_BITS = 1L << 30;

    /// Visits of a block, on average. Code of compilers settles within the depth of its loops and
    /// two.
    private static final int MOST_VISITS = 50;

    private final Code code;
    private final RegisterNumbers numbers;
    private final BitSet parameters = new BitSet();
    private final BitSet state = new BitSet();
    private final @Nullable BitSet[] written;

    WrittenRegisters(Code code) {
        this(code, MOST_BITS);
    }

    /// For tests.
    ///
    /// @param mostBits of all sets together
    WrittenRegisters(Code code, long mostBits) {
        this.code = code;
        numbers = new RegisterNumbers(code);
        for (Code.Parameter parameter : code.parameters()) {
            parameter.registers().forEach(register -> parameters.set(numbers.of(register)));
        }
        written = new BitSet[code.blocks().size()];
        if ((long) written.length * numbers.crossing() > mostBits || !settle()) {
            Arrays.fill(written, parameters);
        }
    }

    RegisterNumbers numbers() {
        return numbers;
    }

    private boolean settle() {
        written[0] = (BitSet) parameters.clone();
        BitSet work = new BitSet();
        work.set(0);
        long visits = (long) MOST_VISITS * written.length;
        for (int i = 0; i >= 0; i = next(work, i)) {
            if (visits-- == 0) {
                return false;
            }
            LoadLimit.check();
            work.clear(i);
            Block block = code.blocks().get(i);
            begin(block);
            block.steps().forEach(this::apply);
            apply(block.exit());
            state.clear(numbers.crossing(), numbers.all());
            for (int successor : block.exit().successors()) {
                if (meet(successor)) {
                    work.set(successor);
                }
            }
        }
        return true;
    }

    /// The next block to look at, from this one on or else from the first.
    private static int next(BitSet work, int after) {
        int next = work.nextSetBit(after);
        return next >= 0 ? next : work.nextSetBit(0);
    }

    private boolean meet(int block) {
        BitSet known = written[block];
        if (known == null) {
            written[block] = (BitSet) state.clone();
            return true;
        }
        int before = known.cardinality();
        known.and(state);
        return known.cardinality() < before;
    }

    private void begin(Block block) {
        BitSet known = written[block.number()];
        state.clear();
        state.or(known == null ? parameters : known);
    }

    /// A point in a block, at first before its first step. It holds until the next is asked for.
    Point startOf(Block block) {
        begin(block);
        return new Point();
    }

    /// A point that goes through the steps of a block.
    final class Point {
        private Point() {}

        /// Whether every path to here has written a register.
        boolean isWritten(Register register) {
            return state.get(numbers.of(register));
        }

        void pass(Step step) {
            apply(step);
        }
    }

    /// The register that a step copies as it is, or null.
    static @Nullable Register copied(Step step) {
        return step instanceof Step.Compute compute
                        && compute.operation().isCopy()
                        && compute.arguments().getFirst() instanceof Register source
                ? source
                : null;
    }

    private void apply(Step step) {
        Register source = copied(step);
        for (Register target : step.writes()) {
            boolean defined = source == null || state.get(numbers.of(source));
            if (step.guard() == null) {
                int number = numbers.of(target);
                state.set(number, defined || parameters.get(number));
            }
        }
    }

    private void apply(Exit exit) {
        if (exit.guard() == null) {
            exit.writes().forEach(target -> state.set(numbers.of(target)));
        }
    }
}
