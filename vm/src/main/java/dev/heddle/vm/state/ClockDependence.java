package dev.heddle.vm.state;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.RegisterNumbers;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/// What in a function depends on the clocks that it reads. Loops that wait read them to decide how
/// long to sleep (`cuda::barrier` does): then registers never are what they were before, and still
/// the warp runs in a circle, if all that does not depend on a clock is.
///
/// Dependent is what is computed from a clock, and what is written where a branch on such a value
/// leads. Such a branch may only choose between ways that meet again before they do anything else
/// than compute: what comes behind another one depends on the clock altogether, and so does what
/// comes behind a store, an arrival or the like that looks at a clock.
final class ClockDependence {
    /// Blocks on the ways of a branch that are looked at.
    private static final int MOST_BLOCKS = 64;

    private final Code code;
    private final RegisterNumbers numbers;
    private final BitSet registers = new BitSet();
    private final BitSet chosen = new BitSet();
    private final BitSet undecided = new BitSet();
    private final int[] predicates;
    private final int[] words;
    private final int[] longs;

    private ClockDependence(Code code, boolean hasClocks) {
        this.code = code;
        numbers = new RegisterNumbers(code);
        boolean grows = hasClocks;
        while (grows) {
            int before = size();
            code.blocks().forEach(this::follow);
            grows = size() > before;
        }
        BitSet others = (BitSet) registers.clone();
        others.flip(0, numbers.all());
        predicates = numbers.indices(Width.PREDICATE, others);
        words = numbers.indices(Width.WORD, others);
        longs = numbers.indices(Width.LONG, others);
    }

    private int size() {
        return registers.cardinality() + chosen.cardinality() + undecided.cardinality();
    }

    static ClockDependence of(Code code, Program program) {
        boolean hasClocks =
                program.codes().stream().flatMap(Code::steps).anyMatch(ClockDependence::readsClock);
        return new ClockDependence(code, hasClocks);
    }

    private static boolean readsClock(Step step) {
        return step instanceof Step.ReadSpecial read && read.special().isClock();
    }

    private void follow(Block block) {
        if (fails(block)) {
            return;
        }
        boolean inside = chosen.get(block.number());
        for (Step step : block.steps()) {
            boolean depends = isAny(step.reads());
            if (inside || depends || readsClock(step)) {
                add(step.writes());
            }
            if (depends && !onlyComputes(step)) {
                undecided.set(block.number());
                undecided.or(reached(block));
            }
        }
        Exit exit = block.exit();
        boolean depends = isAny(exit.reads()) || isAny(exit.readsOfSuppliers());
        if (inside || depends || exit instanceof Exit.Call) {
            add(exit.writes());
        }
        if (depends && !isExchange(exit)) {
            choose(block);
        }
    }

    /// Whether an end of a block only makes values of others, and lanes go on as they came.
    private static boolean isExchange(Exit exit) {
        return exit instanceof Exit.Synchronize joint
                && joint.guard() == null
                && joint.joint() instanceof Collective.Exchange;
    }

    private boolean isAny(List<Register> some) {
        return some.stream().anyMatch(register -> registers.get(numbers.of(register)));
    }

    private void add(List<Register> some) {
        some.forEach(register -> registers.set(numbers.of(register)));
    }

    /// An end of a block depends on a clock: it chooses between ways that meet again, or more.
    private void choose(Block block) {
        BitSet reached = reached(block);
        int end = block.exit() instanceof Exit.Branch ? reached.nextSetBit(0) : -1;
        for (; end >= 0; end = reached.nextSetBit(end + 1)) {
            BitSet between = new BitSet();
            BitSet open = new BitSet();
            open.set(block.number());
            if (end != block.number() && leadsTo(end, block, open, between)) {
                chosen.or(between);
                return;
            }
        }
        undecided.or(reached);
    }

    /// Whether every way from the end of a block leads to another block, without a loop, through
    /// blocks that only compute.
    ///
    /// @param open the blocks on the way so far
    /// @param between takes the blocks on all ways
    private boolean leadsTo(int end, Block from, BitSet open, BitSet between) {
        for (int next : from.exit().successors()) {
            if (next == end || between.get(next) && !open.get(next)) {
                continue;
            }
            Block block = code.blocks().get(next);
            if (fails(block)) {
                between.set(next);
                continue;
            }
            if (open.get(next) || between.cardinality() == MOST_BLOCKS || !onlyComputes(block)) {
                return false;
            }
            between.set(next);
            open.set(next);
            if (!leadsTo(end, block, open, between)) {
                return false;
            }
            open.clear(next);
        }
        return true;
    }

    /// Whether an assertion fails there: no loop goes on from it.
    private static boolean fails(Block block) {
        return block.exit() instanceof Exit.Call call && call.failsAssertion();
    }

    private static boolean onlyComputes(Block block) {
        return (block.exit() instanceof Exit.Jump || block.exit() instanceof Exit.Branch)
                && block.steps().stream()
                        .allMatch(
                                step ->
                                        onlyComputes(step) && !step.maySpin()
                                                || loadsPlainly(step));
    }

    /// Whether a step loads what stays the same as long as nobody writes.
    private static boolean loadsPlainly(Step step) {
        return step instanceof Step.Load load && !load.access().isStrong();
    }

    private static boolean onlyComputes(Step step) {
        return step instanceof Step.Producer || step instanceof Step.Bookkeeping;
    }

    private BitSet reached(Block from) {
        BitSet reached = new BitSet();
        from.exit().successors().forEach(reached::set);
        BitSet looked = new BitSet();
        for (int next = reached.nextSetBit(0); next >= 0; ) {
            looked.set(next);
            code.blocks().get(next).exit().successors().forEach(reached::set);
            BitSet left = (BitSet) reached.clone();
            left.andNot(looked);
            next = left.nextSetBit(0);
        }
        return reached;
    }

    /// Whether lanes of a frame are where a clock has led them, or may appear there.
    private boolean isWithin(Frame frame, int runningAt) {
        if (chosen.isEmpty() && undecided.isEmpty()) {
            return false;
        }
        return !frame.equals(frame.warp.running())
                || isWithin(runningAt)
                || IntStream.range(0, frame.pending.length)
                        .anyMatch(at -> frame.pending[at] != 0 && isWithin(at));
    }

    private boolean isWithin(int block) {
        return chosen.get(block) || undecided.get(block);
    }

    /// The predicates of a frame that decide what it does next, in 64 bits.
    long predicates(Frame frame, int runningAt) {
        if (registers.isEmpty() || isWithin(frame, runningAt)) {
            return Arrays.hashCode(frame.predicates);
        }
        long mixed = 1;
        for (int each : predicates) {
            mixed = Warp.mix(mixed, frame.predicates[each]);
        }
        return mixed;
    }

    /// The other registers of a frame that decide what it does next, in 64 bits.
    long registers(Frame frame, int runningAt) {
        if (registers.isEmpty() || isWithin(frame, runningAt)) {
            return Warp.mix(Arrays.hashCode(frame.words), Arrays.hashCode(frame.longs));
        }
        long mixed = 1;
        for (int each : words) {
            for (int lane = 0; lane < 32; lane++) {
                mixed = Warp.mix(mixed, frame.words[32 * each + lane]);
            }
        }
        for (int each : longs) {
            for (int lane = 0; lane < 32; lane++) {
                mixed = Warp.mix(mixed, Long.hashCode(frame.longs[32 * each + lane]));
            }
        }
        return mixed;
    }
}
