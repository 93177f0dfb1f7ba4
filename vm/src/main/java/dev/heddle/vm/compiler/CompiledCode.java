package dev.heddle.vm.compiler;

import dev.heddle.vm.scheduling.Frame;

/// A function as generated code runs it. Public for the hidden classes that implement it.
interface CompiledCode {
    /// Runs lanes from a block on, as `Executor` says.
    void run(Frame frame, int block, int mask);
}
