package dev.heddle.vm.ir;

import dev.heddle.vm.ir.Collective.Multiplicand;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/// Whether some path through a function touches registers that products of `wgmma` use before they
/// are waited for (PTX ISA 9.7.15): a forward data flow. Where none does, nobody has to look at
/// each step while products are under way.
///
/// What cannot be followed counts as a path that does, so that what this finds may never happen.
public final class ProductPaths {
    /// Visits of each block, on average: more is given up, as if a path were found.
    private static final int MOST_VISITS = 8;

    /// Committed groups that are told apart; older ones count as one.
    private static final int GROUPS = 6;

    private final boolean[] touching;

    /// Finds the paths of all functions of a program.
    public ProductPaths(Program program) {
        touching = new boolean[program.codes().size()];
        for (Code code : program.codes()) {
            touching[code.index()] = multiplies(code) && new Search(code).finds();
        }
    }

    /// Whether lanes that run this function may touch such registers.
    public boolean mayTouch(Code code) {
        return touching[code.index()];
    }

    private static boolean multiplies(Code code) {
        return code.blocks().stream()
                .anyMatch(
                        block ->
                                block.exit() instanceof Exit.Synchronize joint
                                        && joint.joint() instanceof Collective.MultiplyAsync);
    }

    /// Registers of products, as numbers.
    ///
    /// @param targets which the products accumulate in
    /// @param sources which they read A from
    private record Uses(BitSet targets, BitSet sources) {
        static final Uses NONE = new Uses(new BitSet(), new BitSet());

        Uses join(Uses other) {
            return equals(other)
                    ? this
                    : new Uses(union(targets, other.targets), union(sources, other.sources));
        }

        private static BitSet union(BitSet some, BitSet others) {
            BitSet all = (BitSet) some.clone();
            all.or(others);
            return all;
        }
    }

    /// What is under way.
    ///
    /// @param open products that are in no group yet
    /// @param groups those of each committed group, the youngest first; the last stands for all
    ///     that are older
    private record Flight(Uses open, List<Uses> groups) {
        static final Flight NONE = new Flight(Uses.NONE, Collections.nCopies(GROUPS, Uses.NONE));

        Flight join(Flight other) {
            List<Uses> joined = new ArrayList<>();
            for (int i = 0; i < GROUPS; i++) {
                joined.add(groups.get(i).join(other.groups.get(i)));
            }
            return new Flight(open.join(other.open), joined);
        }

        Flight committed() {
            List<Uses> aged = new ArrayList<>(groups);
            Uses oldest = aged.removeLast();
            aged.set(GROUPS - 2, aged.getLast().join(oldest));
            aged.addFirst(open);
            return new Flight(Uses.NONE, aged);
        }

        /// Behind a wait for all groups but the youngest.
        Flight waited(int pending) {
            if (pending >= GROUPS) {
                return this;
            }
            List<Uses> left = new ArrayList<>(groups.subList(0, pending));
            left.addAll(Collections.nCopies(GROUPS - pending, Uses.NONE));
            return new Flight(open, left);
        }

        Uses all() {
            return groups.stream().reduce(open, Uses::join);
        }
    }

    /// The data flow of one function.
    private record Search(Code code, RegisterNumbers numbers) {
        Search(Code code) {
            this(code, new RegisterNumbers(code));
        }

        boolean finds() {
            @Nullable Flight[] in = new Flight[code.blocks().size()];
            Deque<Integer> work = new ArrayDeque<>();
            in[0] = Flight.NONE;
            work.add(0);
            int visits = MOST_VISITS * in.length;
            while (!work.isEmpty()) {
                int at = work.remove();
                Flight before = in[at];
                Block block = code.blocks().get(at);
                if (before == null || touches(block, before) || --visits < 0) {
                    return true;
                }
                Flight out = behind(block.exit(), before);
                for (int next : block.exit().successors()) {
                    Flight known = in[next];
                    Flight joined = known == null ? out : known.join(out);
                    if (!joined.equals(known)) {
                        in[next] = joined;
                        work.add(next);
                    }
                }
            }
            return false;
        }

        private boolean touches(Block block, Flight flight) {
            Uses uses = flight.all();
            if (uses.equals(Uses.NONE)) {
                return false;
            }
            return block.steps().stream()
                            .anyMatch(
                                    step ->
                                            !(step instanceof DefinednessStep)
                                                    && touches(uses, step.reads(), step.writes()))
                    || switch (block.exit()) {
                        case Exit.Call _, Exit.Return _ -> true;
                        // Products follow one another on the same accumulators, and read the
                        // same A.
                        case Exit.Synchronize joint
                                when joint.joint() instanceof Collective.MultiplyAsync ->
                                hasOne(uses.targets, joint.reads());
                        case Exit exit -> touches(uses, exit.reads(), exit.writes());
                    };
        }

        private boolean touches(Uses uses, List<Register> reads, List<Register> writes) {
            return hasOne(uses.targets, reads)
                    || hasOne(uses.sources, reads)
                    || hasOne(uses.targets, writes)
                    || hasOne(uses.sources, writes);
        }

        private boolean hasOne(BitSet used, List<Register> registers) {
            for (Register register : registers) {
                if (used.get(numbers.of(register))) {
                    return true;
                }
            }
            return false;
        }

        private Flight behind(Exit exit, Flight before) {
            if (!(exit instanceof Exit.Synchronize joint)) {
                return before;
            }
            Flight after =
                    switch (joint.joint()) {
                        case Collective.MultiplyAsync product ->
                                new Flight(before.open.join(uses(product)), before.groups);
                        case Collective.Warpgroup(var action, int pending) ->
                                switch (action) {
                                    case FENCE -> before;
                                    case COMMIT -> before.committed();
                                    case WAIT -> before.waited(pending);
                                };
                        case Collective _ -> before;
                    };
            return joint.guard() == null ? after : before.join(after);
        }

        private Uses uses(Collective.MultiplyAsync product) {
            BitSet targets = new BitSet();
            product.d().forEach(register -> targets.set(numbers.of(register)));
            BitSet sources = new BitSet();
            if (product.a() instanceof Multiplicand.InRegisters(List<Source> registers, _)) {
                for (Source source : registers) {
                    if (source instanceof Register register) {
                        sources.set(numbers.of(register));
                    }
                }
            }
            return new Uses(targets, sources);
        }
    }
}
