package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.FenceRestriction;

/// The memory in which a run looks for races. Fences that are restricted to other memory order
/// nothing there (PTX ISA 9.7.13.4).
public sealed interface OrderedMemory {
    /// All memory, where each fence counts as one of all: what is in no order then is in none with
    /// the restrictions.
    OrderedMemory ALL = new Everything(true);

    /// Whether a fence counts.
    ///
    /// @param rank of its CTA in the cluster
    boolean counts(FenceRestriction restriction, int rank);

    /// Whether global memory is looked at.
    boolean hasGlobal();

    /// Whether the shared memory of a CTA is.
    ///
    /// @param rank of the CTA in its cluster
    boolean hasShared(int rank);

    /// All memory.
    ///
    /// @param countsAll whether restricted fences count as if they were not; else they count
    ///     nowhere
    record Everything(boolean countsAll) implements OrderedMemory {
        @Override
        public boolean counts(FenceRestriction restriction, int rank) {
            return countsAll || restriction == FenceRestriction.NONE;
        }

        @Override
        public boolean hasGlobal() {
            return true;
        }

        @Override
        public boolean hasShared(int rank) {
            return true;
        }
    }

    /// Global memory, for which no restricted fence is.
    record Global() implements OrderedMemory {
        @Override
        public boolean counts(FenceRestriction restriction, int rank) {
            return restriction == FenceRestriction.NONE;
        }

        @Override
        public boolean hasGlobal() {
            return true;
        }

        @Override
        public boolean hasShared(int rank) {
            return false;
        }
    }

    /// The shared memory of the CTAs of one rank.
    record Shared(int owner) implements OrderedMemory {
        @Override
        public boolean counts(FenceRestriction restriction, int rank) {
            return switch (restriction) {
                case NONE, SHARED_CLUSTER -> true;
                case SHARED_CTA -> rank == owner;
                case MBARRIER_INIT -> false;
            };
        }

        @Override
        public boolean hasGlobal() {
            return false;
        }

        @Override
        public boolean hasShared(int rank) {
            return rank == owner;
        }
    }
}
