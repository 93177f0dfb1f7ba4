package dev.heddle.vm.state;

import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Step;

/// Who is told what the interpreter does, step by step, before it does it.
public interface StepListener {
    /// Lanes are about to take a step.
    ///
    /// @param lanes those whose guard holds, not empty
    void before(Frame frame, Step step, int lanes);

    /// Lanes are about to leave a block.
    void before(Frame frame, Exit exit, int lanes);
}
