package dev.heddle.vm.scheduling;

import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.LaneText;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.RegisterPool;
import dev.heddle.vm.state.Warp;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    /// Where those are that could be given back.
    List<Finding.Note> owners() {
        Map<String, BitSet> owners = new LinkedHashMap<>();
        for (Warp warp : cta.warps()) {
            owners.computeIfAbsent(has(warp), has -> new BitSet()).set(warp.index());
        }
        List<Finding.Note> notes = new ArrayList<>();
        owners.forEach(
                (has, warps) ->
                        notes.add(new Finding.Note(null, LaneText.warps(warps) + ": " + has)));
        return notes;
    }

    private String has(Warp warp) {
        String each = "%d registers for each thread".formatted(pool.owned(warp.index()));
        return warp.isDone() ? each + ", not given back before the end" : each;
    }
}
