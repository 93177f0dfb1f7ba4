package dev.heddle.vm.ir;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// How a block ends. Block numbers are indices into [Code#blocks()].
public sealed interface Exit {

    /// The instruction it came from, or null where a block just falls into the next.
    @Nullable Site site();

    /// The predicate under which it is taken, or null.
    @Nullable Guard guard();

    /// The blocks that lanes may go on at.
    List<Integer> successors();

    /// The registers it works on, but for its guard and [#readsOfSuppliers].
    default Effects effects() {
        return new Effects();
    }

    /// The registers that lanes read when they leave the block, its guard included, but for
    /// [#readsOfSuppliers].
    default List<Register> reads() {
        return effects().readsUnder(guard());
    }

    /// The registers that are read of some lanes only: the metadata of a sparse product and its
    /// scale factors.
    default List<Register> readsOfSuppliers() {
        return List.of();
    }

    /// The registers that are written once lanes have left the block.
    default List<Register> writes() {
        return effects().writes();
    }

    private static List<Integer> blocks(List<Integer> targets, int next) {
        List<Integer> all = new ArrayList<>(targets);
        all.add(next);
        all.removeIf(number -> number < 0);
        return all;
    }

    /// An end behind which lanes go on at one block.
    sealed interface Onward extends Exit {
        /// The block, or negative where there is none.
        int next();

        @Override
        default List<Integer> successors() {
            return Exit.blocks(List.of(), next());
        }
    }

    /// All lanes go on at a block.
    record Jump(@Nullable Site site, int target) implements Exit {
        @Override
        public @Nullable Guard guard() {
            return null;
        }

        @Override
        public List<Integer> successors() {
            return List.of(target);
        }
    }

    /// Lanes where the guard holds go to `taken`, the others to `next`.
    ///
    /// @param uniform whether PTX promises (`.uni`) that all lanes agree
    record Branch(Site site, Guard guard, int taken, int next, boolean uniform) implements Exit {
        @Override
        public List<Integer> successors() {
            return Exit.blocks(List.of(taken), next);
        }
    }

    /// `brx.idx`: each lane goes to the block its index names.
    record IndexedBranch(
            Site site, @Nullable Guard guard, Source index, List<Integer> targets, int next)
            implements Exit {
        public IndexedBranch {
            targets = List.copyOf(targets);
        }

        @Override
        public Effects effects() {
            return new Effects().reading(index);
        }

        @Override
        public List<Integer> successors() {
            return Exit.blocks(targets, next);
        }
    }

    /// Calls a function; lanes come back at `next`.
    ///
    /// @param callee the code's index in the program, or -1 for an indirect call
    /// @param address of the function where the call is indirect, or null
    /// @param builtin the name of a function that the machine provides (`vprintf`), or null
    record Call(
            Site site,
            @Nullable Guard guard,
            int callee,
            @Nullable Source address,
            @Nullable String builtin,
            List<Argument> arguments,
            List<Argument> results,
            int next)
            implements Onward {
        /// What the runtimes call where an assertion fails: it does not come back.
        private static final Set<String> ASSERTIONS = Set.of("__assertfail", "__assert_fail");

        public Call {
            arguments = List.copyOf(arguments);
            results = List.copyOf(results);
        }

        /// Whether it says that an assertion fails.
        public boolean failsAssertion() {
            return builtin != null && ASSERTIONS.contains(builtin);
        }

        @Override
        public Effects effects() {
            Effects effects = new Effects().reading(address);
            arguments.forEach(argument -> effects.reading(argument.value()));
            results.forEach(result -> effects.writing(result.value()));
            return effects;
        }
    }

    /// A value passed to or from a function: a register, a constant, or bytes of the caller's
    /// frame.
    ///
    /// @param value the register, constant or frame address; results are never constants
    /// @param bytes how many
    record Argument(Source value, int bytes) {}

    /// `ret`: where the guard holds, back to the caller; a kernel's lanes are done.
    record Return(@Nullable Site site, @Nullable Guard guard, int next) implements Onward {}

    /// `exit`: where the guard holds, the lanes are done.
    record ThreadExit(Site site, @Nullable Guard guard, int next) implements Onward {}

    /// `trap` and `brkpt`: where the guard holds, the launch ends.
    record Trap(Site site, @Nullable Guard guard, int next) implements Onward {}

    /// A step at which lanes may wait for others; all go on at `next`.
    record Synchronize(Site site, @Nullable Guard guard, Collective joint, int next)
            implements Onward {
        @Override
        public Effects effects() {
            return joint.effects();
        }

        @Override
        public List<Register> readsOfSuppliers() {
            Effects effects = new Effects();
            joint.supplied().forEach(supplied -> effects.reading(supplied.source()));
            return effects.reads();
        }
    }
}
