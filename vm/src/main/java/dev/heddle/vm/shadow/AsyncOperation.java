package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;

import java.util.List;

/// What goes on beside the threads that began it, until something that they can wait for: a copy,
/// a reduction or a remote store, or a product of `wgmma` (PTX ISA 8.10 and 9.7.9.25.1). All touch
/// memory through the async proxy (8.9).
///
/// The machine moves the bytes when the operation begins, and completes it at the same time, but
/// for `wgmma`, whose registers change when it is waited for. Who looks for undefined behaviour
/// takes the time between both from here.
///
/// @param site the instruction
/// @param thread the number in its CTA of the thread that began it; the first of a warpgroup
/// @param reads shared memory that must stay as it is until completion
/// @param writes shared memory that nobody may touch until completion
/// @param reduced bytes of each element that a reduction writes; 0 for a copy
/// @param sources registers that must stay as they are until completion
/// @param targets registers that nobody may touch until completion
/// @param completion how threads learn that it is over
public record AsyncOperation(
        Site site,
        int thread,
        List<Footprint> reads,
        List<Region> writes,
        int reduced,
        List<Register> sources,
        List<Register> targets,
        Completion completion) {
    public AsyncOperation {
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
        sources = List.copyOf(sources);
        targets = List.copyOf(targets);
    }

    /// Consecutive bytes.
    ///
    /// @param space global or shared
    /// @param rank of the CTA in its cluster that has the shared memory, else 0
    /// @param offset of the first byte in the segment of the space
    /// @param bytes how many
    public record Region(Space space, int rank, long offset, long bytes) {}

    /// How threads learn that an operation is over.
    public sealed interface Completion {
        /// `cp.async.bulk.wait_group` of the thread, with `.read` or without: the sources of the
        /// group have been read.
        record BulkGroup(int group) implements Completion {}

        /// The same without `.read`: what the group writes to global memory is there, too (PTX ISA
        /// 9.7.9.25.4.3).
        record WrittenGroup(int group) implements Completion {}

        /// `complete_tx` on an mbarrier.
        ///
        /// @param rank of the CTA in its cluster that has the object
        /// @param offset of the object in its shared memory
        record Transaction(int rank, long offset) implements Completion {}

        /// `wgmma.wait_group` of the warps of a warpgroup. A group is the warpgroup's (PTX ISA
        /// 9.7.15.7.2): whoever has waited for it has waited for all four parts.
        record WgmmaGroup(int warpgroup, int group) implements Completion {
            /// Warps of a warpgroup.
            public static final int WARPS = 4;
        }
    }
}
