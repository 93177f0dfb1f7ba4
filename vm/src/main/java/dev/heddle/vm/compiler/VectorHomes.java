package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.RegisterNumbers;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Which registers of a kernel live in vector registers of the processor, and which.
///
/// A register has one home wherever it is live, from its first such place in the code to its last.
/// Those that loops use most come first; what finds no free home stays in the frame.
final class VectorHomes {
    /// The first vector register that may be a home; those before are for values in between.
    static final int FIRST = 5;

    private static final int COUNT = 32 - FIRST;

    /// More registers than this are not weighed: their function stays with the JVM.
    private static final int MOST = 20_000;

    private final RegisterNumbers numbers;
    private final Map<Integer, Interval> intervals = new HashMap<>();
    private final Map<Integer, int[]> homes = new HashMap<>();
    private final int[] starts;
    private final Map<Integer, List<Register>> ends = new HashMap<>();

    private static final class Interval {
        final Register register;
        int first = Integer.MAX_VALUE;
        int last = -1;
        double weight;

        Interval(Register register) {
            this.register = register;
        }

        void reach(int position) {
            first = Math.min(first, position);
            last = Math.max(last, position);
        }

        double density() {
            return weight / (last - first + 4) / vectors(register);
        }
    }

    VectorHomes(Code code, Liveness liveness) {
        numbers = liveness.numbers();
        if (numbers.all() > MOST) {
            throw new IllegalStateException("too many registers for machine code");
        }
        int[] depths = depths(code);
        starts = new int[depths.length];
        int position = 0;
        List<int[]> ranges = new ArrayList<>();
        for (Block block : code.blocks()) {
            int start = position;
            starts[block.number()] = start;
            double weight = Math.pow(8, depths[block.number()]);
            for (int i = 0; i < block.steps().size(); i++) {
                Step step = block.steps().get(i);
                position += 2;
                for (Register told : Liveness.told(block.steps(), i)) {
                    reach(numbers.of(told), position + 1);
                }
                for (Register read : step.reads()) {
                    use(read, position + 1, weight);
                }
                for (Register written : step.writes()) {
                    use(written, position, weight);
                }
            }
            position += 2;
            for (Register read : block.exit().reads()) {
                use(read, position, weight);
            }
            ranges.add(new int[] {start, position});
        }
        for (Block block : code.blocks()) {
            int[] range = ranges.get(block.number());
            BitSet out = liveness.endOf(block).live();
            out.stream().forEach(number -> reach(number, range[1]));
            BitSet in = liveness.startOf(block);
            in.stream().forEach(number -> reach(number, range[0]));
        }
        assign();
    }

    private void use(Register register, int position, double weight) {
        if (register.width() == Width.PREDICATE) {
            return;
        }
        Interval interval =
                intervals.computeIfAbsent(numbers.of(register), _ -> new Interval(register));
        interval.reach(position);
        interval.weight += weight;
    }

    private void reach(int number, int position) {
        Interval interval = intervals.get(number);
        if (interval != null) {
            interval.reach(position);
        }
    }

    /// How many loops each block is in: a jump backwards makes one of all blocks in between.
    static int[] depths(Code code) {
        int[] depths = new int[code.blocks().size()];
        for (Block block : code.blocks()) {
            for (int target : block.exit().successors()) {
                if (target <= block.number() && !(block.exit() instanceof Exit.Call)) {
                    for (int i = target; i <= block.number(); i++) {
                        depths[i] = Math.min(6, depths[i] + 1);
                    }
                }
            }
        }
        return depths;
    }

    private void assign() {
        List<Interval> order = new ArrayList<>(intervals.values());
        order.sort(
                Comparator.comparingDouble(Interval::density)
                        .reversed()
                        .thenComparingInt(interval -> numbers.of(interval.register)));
        List<TreeMap<Integer, Interval>> taken = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            taken.add(new TreeMap<>());
        }
        for (Interval interval : order) {
            int wanted = vectors(interval.register);
            int[] found = new int[wanted];
            int count = 0;
            for (int i = 0; i < COUNT && count < wanted; i++) {
                if (isFree(taken.get(i), interval)) {
                    found[count++] = i;
                }
            }
            if (count == wanted) {
                for (int home : found) {
                    taken.get(home).put(interval.first, interval);
                }
                homes.put(
                        numbers.of(interval.register),
                        Arrays.stream(found).map(home -> home + FIRST).toArray());
                ends.computeIfAbsent(interval.last & ~1, _ -> new ArrayList<>())
                        .add(interval.register);
            }
        }
    }

    /// Intervals of one home do not overlap: the last that begins before this one ends decides.
    private static boolean isFree(NavigableMap<Integer, Interval> taken, Interval interval) {
        Map.Entry<Integer, Interval> before = taken.floorEntry(interval.last);
        return before == null || before.getValue().last < interval.first;
    }

    /// Vector registers that hold a register of all lanes.
    static int vectors(Register register) {
        return register.width() == Width.LONG ? 4 : 2;
    }

    /// The vector register with a part of a register, or -1 where it stays in the frame.
    ///
    /// @param chunk which 16 lanes of words, or which 8 of longs
    int of(Register register, int chunk) {
        int[] found = homes.get(numbers.of(register));
        return found == null ? -1 : found[chunk];
    }

    /// Those that live in vector registers, and not beyond a step.
    List<Register> endingAt(int block, int step) {
        return ends.getOrDefault(starts[block] + 2 * (step + 1), List.of());
    }

    /// Those of a set of registers, by their numbers, that live in vector registers.
    List<Register> in(BitSet live) {
        List<Register> found = new ArrayList<>();
        live.stream()
                .forEach(
                        number -> {
                            Interval interval = intervals.get(number);
                            if (interval != null && homes.containsKey(number)) {
                                found.add(interval.register);
                            }
                        });
        return found;
    }
}
