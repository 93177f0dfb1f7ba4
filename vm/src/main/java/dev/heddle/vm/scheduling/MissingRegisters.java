package dev.heddle.vm.scheduling;

import dev.heddle.vm.report.Finding;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.RegisterPool;
import dev.heddle.vm.state.Warp;

import java.util.ArrayList;
import java.util.List;

/// Says what registers warps of a CTA wait for in `setmaxnreg.inc`, and who has them.
final class MissingRegisters {
    /// The pool counts for one thread of each warp.
    private static final int LANES = 32;

    private final Cta cta;
    private final RegisterPool pool;

    MissingRegisters(Cta cta) {
        this.cta = cta;
        pool = cta.registers();
    }

    /// Whether anybody waits.
    boolean any() {
        return !pool.waiting().isEmpty();
    }

    /// What the first that waits asks for, and what there is.
    String message() {
        RegisterPool.Request request = pool.waiting().getFirst();
        int warp = request.warp().index();
        return "%s of %d registers by warp %d, which has %d: its threads need %d more, the pool of the CTA has %d, and no warp is left that will give any back"
                .formatted(
                        request.site().mnemonic(),
                        request.step().count(),
                        warp,
                        pool.owned(warp),
                        LANES * pool.more(request),
                        LANES * pool.free());
    }

    /// Where those are that could be given back: each run of warps that have as many.
    List<Finding.Note> owners() {
        List<Finding.Note> notes = new ArrayList<>();
        Warp[] warps = cta.warps();
        int first = 0;
        for (int i = 1; i <= warps.length; i++) {
            if (i == warps.length || !has(warps[i]).equals(has(warps[first]))) {
                String who = i - first == 1 ? "warp %d" : "warps %d to %d";
                notes.add(
                        new Finding.Note(
                                null, who.formatted(first, i - 1) + ": " + has(warps[first])));
                first = i;
            }
        }
        return notes;
    }

    private String has(Warp warp) {
        String each = "%d registers for each thread".formatted(pool.owned(warp.index()));
        return warp.isDone() ? each + ", not given back before the end" : each;
    }
}
