package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Collective.Multiplicand;
import dev.heddle.vm.ir.DefinednessStep;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;

/// Whether some path through a function touches registers that products of `wgmma` use before they
/// are waited for: a forward data flow. Where none does, nobody has to look at each step while
/// products are under way.
///
/// Waits for all groups but some count as none, so that what this finds may never happen.
final class ProductPaths {
    /// Visits of each block, on average: more is given up, as if a path were found.
    private static final int MOST_VISITS = 8;

    // By function; to hash one takes longer than many a launch.
    private final IdentityHashMap<Code, Boolean> known = new IdentityHashMap<>();

    /// Registers of products under way.
    ///
    /// @param targets of all
    /// @param sources of all
    /// @param open those of products that are in no group yet
    private record Flight(Set<Register> targets, Set<Register> sources, Set<Register> open) {
        static final Flight NONE = new Flight(Set.of(), Set.of(), Set.of());

        Flight join(Flight other) {
            return new Flight(
                    union(targets, other.targets),
                    union(sources, other.sources),
                    union(open, other.open));
        }

        Flight with(Collective.MultiplyAsync product) {
            Set<Register> read = new HashSet<>();
            if (product.a() instanceof Multiplicand.InRegisters in) {
                for (Source source : in.registers()) {
                    if (source instanceof Register register) {
                        read.add(register);
                    }
                }
            }
            return join(new Flight(Set.copyOf(product.d()), read, union(product.d(), read)));
        }

        Flight committed() {
            return new Flight(targets, sources, Set.of());
        }

        Flight waited() {
            Set<Register> written = new HashSet<>(targets);
            Set<Register> read = new HashSet<>(sources);
            written.retainAll(open);
            read.retainAll(open);
            return new Flight(written, read, open);
        }

        boolean isTouched(Collection<Register> reads, Collection<Register> writes) {
            return !targets.isEmpty()
                    && (reads.stream().anyMatch(targets::contains)
                            || writes.stream()
                                    .anyMatch(it -> targets.contains(it) || sources.contains(it)));
        }

        private static Set<Register> union(Collection<Register> some, Collection<Register> others) {
            Set<Register> all = new HashSet<>(some);
            all.addAll(others);
            return all;
        }
    }

    /// Whether lanes that run this function may touch such registers.
    boolean mayTouch(Code code) {
        return known.computeIfAbsent(code, ProductPaths::finds);
    }

    private static boolean finds(Code code) {
        Flight[] in = new Flight[code.blocks().size()];
        Deque<Integer> work = new ArrayDeque<>();
        in[0] = Flight.NONE;
        work.add(0);
        int visits = MOST_VISITS * in.length;
        while (!work.isEmpty()) {
            Block block = code.blocks().get(work.remove());
            Flight out = through(block, in[block.number()]);
            if (out == null || --visits < 0) {
                return true;
            }
            for (int next : block.exit().successors()) {
                Flight before = in[next];
                Flight joined = before == null ? out : before.join(out);
                if (!joined.equals(before)) {
                    in[next] = joined;
                    work.add(next);
                }
            }
        }
        return false;
    }

    /// What is under way behind a block, or null where it may touch that.
    private static @Nullable Flight through(Block block, Flight before) {
        for (Step step : block.steps()) {
            boolean isIntruder =
                    !(step instanceof DefinednessStep)
                            && before.isTouched(step.reads(), step.writes());
            if (isIntruder) {
                return null;
            }
        }
        return switch (block.exit()) {
            case Exit.Call _, Exit.Return _ when !before.targets.isEmpty() -> null;
            case Exit.Synchronize joint
                    when joint.joint() instanceof Collective.MultiplyAsync product ->
                    before.isTouched(joint.reads(), Set.of()) ? null : before.with(product);
            case Exit.Synchronize joint
                    when joint.joint() instanceof Collective.Warpgroup step
                            && joint.guard() == null ->
                    switch (step.action()) {
                        case FENCE -> before;
                        case COMMIT -> before.committed();
                        case WAIT -> step.pending() == 0 ? before.waited() : before;
                    };
            case Exit exit -> before.isTouched(exit.reads(), exit.writes()) ? null : before;
        };
    }
}
