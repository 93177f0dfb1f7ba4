package dev.heddle.vm.state;

import dev.heddle.vm.ir.Code;

import java.util.Collections;
import java.util.SortedMap;

/// Runs lanes from a block on.
public interface Executor {
    /// Runs these lanes, and any lanes of the frame that they meet, until none of the frame's lanes
    /// can go on here or the warp should give way. All state is in the frame before and after.
    ///
    /// @param frame whose lanes run
    /// @param block where they stand
    /// @param mask which lanes
    void run(Frame frame, int block, int mask);

    /// Does beforehand, and not while the launch is timed, what a kernel needs.
    default void prepare(Code kernel) {}

    /// Functions that this executor leaves to the interpreter, and why: a gap in speed, not in
    /// results.
    default SortedMap<String, String> interpreted() {
        return Collections.emptySortedMap();
    }

    /// Makes the registers of a kernel's frame ready for another CTA: those read before they are
    /// written are zero.
    default void clear(Frame frame) {
        frame.clear();
    }
}
