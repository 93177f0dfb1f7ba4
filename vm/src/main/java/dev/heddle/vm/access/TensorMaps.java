package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.BulkStep;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.sanitizer.Sanitizer;
import dev.heddle.vm.sanitizer.TensorMapChecks;
import dev.heddle.vm.shadow.Aside;
import dev.heddle.vm.shadow.AsyncOperation.Completion;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.LaneAddresses.Location;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Tensor maps as tensor copies read them: through a proxy of their own, to which
/// `fence.proxy.tensormap::generic` hands over what was written (PTX ISA 9.7.13.4).
public record TensorMaps(Warp warp, MemoryUnit memory, @Nullable TensorMapChecks checks) {
    private static final Finding.Note COPIED =
            new Finding.Note(
                    null,
                    "a parameter const CUtensorMap without __grid_constant__ is copied to local"
                            + " memory");

    TensorMaps(Warp warp, MemoryUnit memory, Sanitizer sanitizer) {
        this(warp, memory, sanitizer.tensorMaps());
    }

    /// `fence.proxy.tensormap::generic` of lanes.
    public void fence(Frame frame, Step.TensorMapFence step, int lanes) {
        if (checks == null) {
            return;
        }
        if (step.map() == null) {
            checks.release(warp, lanes, step.scope());
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            Location map = warp.addresses().locate(frame, step.map(), lane);
            if (map.space() == Space.GLOBAL) {
                checks.acquire(warp, lane, map.offset(), step.scope());
            }
        }
    }

    /// `cp.async.bulk.prefetch.tensor` of lanes.
    public void prefetch(Frame frame, BulkStep.PrefetchTensor step, int lanes) {
        for (int rest = warp.cta().grid().checked() ? lanes : 0; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            requireSpace(
                    step.site(), lane, warp.addresses().locate(frame, step.map(), lane).space());
        }
    }

    /// A lane has copied and released a map, by `tensormap.cp_fenceproxy`.
    void copied(Site site, int lane, Location map, Scope scope) {
        if (checks != null) {
            checks.copy(warp, lane, site, map.offset(), scope);
        }
    }

    /// A tensor copy is about to read its map, beside its thread, where others may write it.
    ///
    /// @param barriers that count its bytes, of each CTA that receives it, or null
    void use(Site site, int lane, Location map, List<? extends @Nullable Location> barriers) {
        requireSpace(site, lane, map.space());
        memory.bulkMemory().requireInside(site, lane, map, TensorMap.BYTES, AccessKind.LOAD);
        if (checks != null && map.space() == Space.GLOBAL) {
            Completion.BulkGroup group = new Completion.BulkGroup(warp.bulkGroups().current(lane));
            Aside reader = checks.begin(warp, lane, site, group, barriers);
            memory.checks().readMap(site, reader, lane, map.offset());
            checks.use(warp, lane, site, map.offset());
        }
    }

    /// A map is in constant, parameter or global memory (PTX ISA 5.5.8). A compiler copies one to
    /// local memory that a kernel takes by value without `__grid_constant__`.
    private void requireSpace(Site site, int lane, Space space) {
        boolean isLocal = space == Space.LOCAL;
        if (!isLocal && space != Space.SHARED && space != Space.CLUSTER) {
            return;
        }
        throw warp.faults()
                .undefined(
                        Rule.INVALID_TENSOR_MAP,
                        "5.5.8",
                        site,
                        1 << lane,
                        "%s with a tensor map in %s memory: it must be in constant, parameter or global memory"
                                .formatted(site.mnemonic(), isLocal ? "local" : "shared"),
                        isLocal ? new Finding.Note[] {COPIED} : new Finding.Note[0]);
    }
}
