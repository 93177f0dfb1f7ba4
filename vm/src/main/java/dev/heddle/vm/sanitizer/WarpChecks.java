package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.DefinednessStep;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.StepListener;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

/// The checks of a warp.
public final class WarpChecks implements StepListener {
    private final RegisterChecks registers;
    private final RegistersInFlight inFlight;
    private final @Nullable Definedness definedness;
    private final AccessChecks accesses;

    WarpChecks(Warp warp, Sanitizer sanitizer, boolean followsValues) {
        registers = new RegisterChecks(warp);
        inFlight = new RegistersInFlight(warp);
        definedness = followsValues ? new Definedness(warp) : null;
        accesses = new AccessChecks(warp, sanitizer, definedness);
    }

    /// Its accesses to memory.
    public AccessChecks accesses() {
        return accesses;
    }

    /// What follows undefined values, or null where the first use of one is an error.
    public @Nullable Definedness definedness() {
        return definedness;
    }

    /// What products under way use.
    public RegistersInFlight registersInFlight() {
        return inFlight;
    }

    /// Follows which lanes have written a register, where undefined values are not followed.
    public void follow(Frame frame, DefinednessStep step, int lanes) {
        if (definedness == null) {
            registers.follow(frame, step, lanes);
        }
    }

    // Steps.

    /// Whether it must be told of every step.
    public boolean isWatching() {
        return definedness != null || inFlight.isActive();
    }

    @Override
    public void before(Frame frame, Step step, int mask) {
        if (inFlight.isActive() && frame.where(step.guard(), mask) != 0) {
            inFlight.before(step);
        }
        if (definedness != null) {
            definedness.before(frame, step, mask);
        }
    }

    @Override
    public void before(Frame frame, Exit exit, int mask) {
        if (inFlight.isActive()) {
            inFlight.before(exit);
        }
        if (definedness != null) {
            definedness.before(frame, exit, mask);
        }
    }
}
