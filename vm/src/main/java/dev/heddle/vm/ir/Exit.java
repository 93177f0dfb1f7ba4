package dev.heddle.vm.ir;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// How a block ends. Block numbers are indices into [Code#blocks()].
public sealed interface Exit {

    /// The instruction it came from, or null where a block just falls into the next.
    @Nullable Site site();

    /// All lanes go on at a block.
    record Jump(@Nullable Site site, int target) implements Exit {}

    /// Lanes where the guard holds go to `taken`, the others to `next`.
    ///
    /// @param uniform whether PTX promises (`.uni`) that all lanes agree
    record Branch(Site site, Guard guard, int taken, int next, boolean uniform) implements Exit {}

    /// `brx.idx`: each lane goes to the block its index names.
    record IndexedBranch(
            Site site, @Nullable Guard guard, Source index, List<Integer> targets, int next)
            implements Exit {
        public IndexedBranch {
            targets = List.copyOf(targets);
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
            implements Exit {
        public Call {
            arguments = List.copyOf(arguments);
            results = List.copyOf(results);
        }
    }

    /// A value passed to or from a function: a register, a constant, or bytes of the caller's
    /// frame.
    ///
    /// @param value the register, constant or frame address; results are never constants
    /// @param bytes how many
    record Argument(Source value, int bytes) {}

    /// `ret`: where the guard holds, back to the caller; a kernel's lanes are done.
    record Return(@Nullable Site site, @Nullable Guard guard, int next) implements Exit {}

    /// `exit`: where the guard holds, the lanes are done.
    record Leave(Site site, @Nullable Guard guard, int next) implements Exit {}

    /// `trap` and `brkpt`: where the guard holds, the launch ends.
    record Trap(Site site, @Nullable Guard guard, int next) implements Exit {}

    /// A step at which lanes may wait for others; all go on at `next`.
    record Synchronize(Site site, @Nullable Guard guard, Collective joint, int next)
            implements Exit {}
}
