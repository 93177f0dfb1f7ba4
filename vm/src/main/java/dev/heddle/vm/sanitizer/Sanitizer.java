package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.Aside;
import dev.heddle.vm.shadow.AsyncOperation;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The checks of a CTA: those of its warps, and those of what goes on beside them.
public final class Sanitizer {
    private final List<WarpChecks> warps = new ArrayList<>();
    private final @Nullable AsyncChecks async;
    private final @Nullable TensorMapChecks tensorMaps;
    private final RegisterCounts registers;

    /// The checks that the launch asks for.
    ///
    /// @param followsValues whether undefined values are followed until they decide something
    public Sanitizer(Cta cta, boolean followsValues) {
        SharedShadow shadow = cta.shadow();
        async = shadow == null ? null : new AsyncChecks(cta, shadow, this);
        tensorMaps = TensorMapChecks.of(cta);
        registers = new RegisterCounts(cta);
        for (Warp warp : cta.warps()) {
            warps.add(new WarpChecks(warp, this, followsValues));
        }
    }

    /// Forgets everything.
    public void clear() {
        for (WarpChecks warp : warps) {
            warp.registersInFlight().clear();
            warp.accesses().clear();
        }
        if (async != null) {
            async.clear();
        }
        registers.clear();
        if (tensorMaps != null) {
            tensorMaps.clear();
        }
    }

    /// The checks of a warp.
    ///
    /// @param index its number in the CTA
    public WarpChecks warp(int index) {
        return warps.get(index);
    }

    /// All threads of the CTA have ended.
    public void ended(Cta cta) {
        ClusterExit.check(cta);
        if (async != null) {
            async.ended();
        }
        registers.ended();
    }

    /// `setmaxnreg` of a warp.
    public void setRegisters(Warp warp, Site site, Collective.SetRegisters step) {
        registers.set(warp, site, step);
    }

    /// Those of tensor maps in global memory, or null where they are not asked for.
    public @Nullable TensorMapChecks tensorMaps() {
        return tensorMaps;
    }

    /// An asynchronous operation has begun.
    public void began(AsyncOperation operation) {
        if (async != null) {
            async.began(operation);
        }
    }

    /// Whether what lanes do beside them may be one operation: nobody looks, or it is in order at
    /// first sight.
    public boolean areInOrder(AsideLanes lanes) {
        return async == null || async.lanes().areInOrder(lanes);
    }

    /// It has begun.
    public void began(AsideLanes lanes) {
        if (async != null) {
            async.lanes().begin(lanes);
        }
    }

    /// What stands for what an asynchronous operation that is about to begin does in global memory;
    /// null where nobody follows it.
    ///
    /// @param thread the number in the CTA of the thread that begins it
    public @Nullable Aside aside(Site site, int thread, AsyncOperation.Completion completion) {
        return async == null ? null : async.aside(site, thread, completion);
    }

    /// A thread, or each warp of a warpgroup, has waited until a group of its own was over.
    ///
    /// @param thread the number of the thread in the CTA; the first of a warp
    /// @param retired groups of this number, and smaller ones, are over
    public void waited(int thread, AsyncOperation.Completion retired) {
        if (async != null) {
            async.waited(thread, retired);
        }
        if (tensorMaps != null && retired instanceof AsyncOperation.Completion.BulkGroup group) {
            tensorMaps.waited(thread, group);
        }
    }
}
