package dev.heddle.vm.state;

import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/// What takes the steps of a warp, for every executor: memory, calls, what lanes do together.
public interface ExecutionUnits {
    /// Takes one step.
    ///
    /// @param mask the lanes in the block, whether the step's guard holds for them or not
    void step(Frame frame, Step step, int mask);

    /// `ld`: every lane's elements into its registers.
    ///
    /// @param lanes those that load, not none
    void load(Frame frame, Step.Load step, int lanes);

    /// `st`: every lane's elements from its registers.
    ///
    /// @param lanes those that store, not none
    void store(Frame frame, Step.Store step, int lanes);

    /// Sends lanes where an exit says: to blocks of this frame, to other frames, to wait, or out.
    void leave(Frame frame, Exit exit, int mask);

    /// Copies of `cp.async` of all lanes have begun, and the shadow memory has them.
    ///
    /// @param from where the offsets of the lanes in shared memory stand, 32 ints
    /// @param place the first of them, in bytes
    /// @param bytes of a lane
    void copiesBegan(Site site, MemorySegment from, long place, int bytes);

    /// All lanes have committed theirs.
    void copiesCommitted();

    /// The checks that must be told of every step that the warp takes now; null where none must.
    @Nullable StepListener watcher();
}
