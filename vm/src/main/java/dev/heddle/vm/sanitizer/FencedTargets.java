package dev.heddle.vm.sanitizer;

import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.ptx.instruction.InstructionKind.Memory;
import dev.heddle.ptx.instruction.InstructionKind.Proxy;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.AsyncOperation;
import dev.heddle.vm.shadow.AsyncOperation.Region;
import dev.heddle.vm.shadow.FencesBefore;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Cta;

/// Looks at the shared memory that bulk copies of a CTA write: what ordinary stores of the CTA that
/// has it wrote there, or `st.async`, must be fenced before it is written through the async proxy
/// (PTX ISA 9.7.9.25.2). What they read need not be: pipelines fill stages again that were read so.
record FencedTargets(Cta cta, ClusterAsyncChecks cluster, FencedWrites fenced, AsyncFaults faults) {
    /// A copy is about to write, in order with all that was done there.
    ///
    /// @param owner of the memory
    void require(AsyncOperation operation, Region region, Cta owner) {
        InstructionKind kind = operation.site().kind();
        SharedShadow there = owner.shadow();
        if (there == null || kind.memory() != Memory.COPIES || kind.proxy() != Proxy.ASYNC) {
            return;
        }
        int[] by = {operation.thread()};
        FencesBefore fences = cluster.fencesBefore(by[0], owner);
        // Mostly all was written before the last fences.
        int limit = fences.limit(there.order().cta());
        boolean isOwn = owner.rank() == cta.rank();
        int end = (int) (region.offset() + region.bytes());
        // Lanes that write bytes write them at one clock: one look is for all.
        long passed = Stamp.NOBODY;
        for (int at = (int) region.offset(), extent; at < end; at += extent) {
            extent = there.span(at, end);
            long write = there.onlyWrite(at);
            boolean isByLanes =
                    Stamp.clock(write) <= limit
                            || isOwn && ((write & -32L) == passed || fenced.mayRead(write, by));
            passed = isByLanes ? write & -32L : passed;
            long unfenced =
                    isByLanes
                            ? Stamp.NOBODY
                            : cluster.unfencedWrite(
                                    there,
                                    each -> Stamp.clock(each) > limit && fenced.needsFence(each),
                                    at,
                                    by[0],
                                    fences);
            if (unfenced != Stamp.NOBODY) {
                KernelFault fault = faults.unfenced(operation, at, by[0], unfenced, owner);
                cta.warps()[0].faults().tell(fault);
                return;
            }
            extent = extent > 1 ? there.wholeRegions().alike(at, end, isByLanes) : extent;
        }
    }
}
