package dev.heddle.vm.state;

import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Step;

/// Who is told what the interpreter does, step by step.
public interface StepListener {
    /// Lanes are about to take a step.
    ///
    /// @param mask those in the block, whether the step's guard holds for them or not
    void before(Frame frame, Step step, int mask);

    /// Lanes are about to leave a block.
    void before(Frame frame, Exit exit, int mask);
}
