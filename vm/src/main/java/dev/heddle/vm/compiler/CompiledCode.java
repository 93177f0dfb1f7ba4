package dev.heddle.vm.compiler;

import dev.heddle.vm.state.Frame;

/// A piece of a function, consecutive blocks, as generated code runs it.
interface CompiledCode {
    /// Runs lanes from a block of this piece on, as `Executor` says. Returns whether they, and all
    /// lanes that they met, are done here; otherwise the frame's first waiting block is in another
    /// piece.
    boolean run(Frame frame, int block, int mask);
}
