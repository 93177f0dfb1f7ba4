package dev.heddle.vm.state;

/// Which lanes have run which blocks of a frame, as an executor keeps it outside of Java's heap
/// until somebody asks.
public interface VisitLog {
    /// Adds the lanes that have run each block, and forgets them.
    ///
    /// @param visited by block
    void drainTo(int[] visited);
}
