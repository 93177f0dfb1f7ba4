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
    /// @param block where they are
    /// @param mask which lanes
    void run(Frame frame, int block, int mask);

    /// Whether this executor may run whole CTAs of a launch by itself, in any order: none waits for
    /// another.
    ///
    /// @param cta one of them, at its start
    default boolean runsCtas(Cta cta) {
        return false;
    }

    /// Runs CTAs that follow on one another, as far as it can by itself. Where it stops before the
    /// end of one, that CTA is in the middle of its work, for [#run] to go on with.
    ///
    /// @param cta at the start of the first
    /// @param first linear index
    /// @param count how many
    /// @return how many have ended
    default long runCtas(Cta cta, long first, long count) {
        return 0;
    }

    /// Does beforehand, and not while the launch is timed, what a kernel needs.
    ///
    /// @param warps of the whole launch
    default void prepare(Code kernel, long warps) {}

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
