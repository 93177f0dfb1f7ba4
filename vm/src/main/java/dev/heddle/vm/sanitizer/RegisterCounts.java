package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.RegisterPool;
import dev.heddle.vm.state.Warp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Looks at the `setmaxnreg` of a CTA (PTX ISA 9.7.19.5): all warps of a warpgroup execute the
/// same, and none asks for a change the wrong way.
final class RegisterCounts {
    private static final int WARPS = 4;

    /// Of a warpgroup with more, nothing more is looked at.
    private static final int MOST = 1024;

    private final Cta cta;
    private final List<List<Executed>> warpgroups = new ArrayList<>();
    private final int[] counts;

    /// What the first warp that came so far executed.
    private record Executed(Site site, Collective.SetRegisters step, Warp warp) {
        @Override
        public String toString() {
            return "%s of %d registers".formatted(site.mnemonic(), step.count());
        }
    }

    RegisterCounts(Cta cta) {
        this.cta = cta;
        counts = new int[cta.warps().length];
        for (int i = 0; i < counts.length; i += WARPS) {
            warpgroups.add(new ArrayList<>());
        }
    }

    void clear() {
        warpgroups.forEach(List::clear);
        Arrays.fill(counts, 0);
    }

    /// A warp executes one.
    void set(Warp warp, Site site, Collective.SetRegisters step) {
        List<Executed> all = warpgroups.get(warp.index() / WARPS);
        int at = counts[warp.index()];
        if (!cta.grid().checks(RuleGroup.WARP) || at == MOST) {
            return;
        }
        counts[warp.index()]++;
        Executed own = new Executed(site, step, warp);
        if (at == all.size()) {
            requireWay(own, all);
            requireOthers(own, at, all);
            all.add(own);
            return;
        }
        Executed first = all.get(at);
        if (!first.step.equals(step)) {
            tell(
                    Rule.SETMAXNREG_DIFFERS,
                    own,
                    "%s by warp %d, where another warp of its warpgroup executes %s"
                            .formatted(own, warp.index(), first),
                    note(first));
        }
    }

    private static void tell(Rule rule, Executed by, String message, Finding.Note... notes) {
        by.warp.faults().tell(by.warp.faults().fault(rule, by.site, -1, message, notes));
    }

    private static Finding.Note note(Executed first) {
        return new Finding.Note(
                first.site, "executed here by warp %d".formatted(first.warp.index()));
    }

    private void requireWay(Executed own, List<Executed> before) {
        RegisterPool pool = cta.registers();
        int warp = own.warp.index();
        if (!pool.isWrongWay(warp, own.step)) {
            return;
        }
        String message = "%s by a warp that has %d".formatted(own, pool.owned(warp));
        if (before.isEmpty()) {
            tell(Rule.SETMAXNREG_WRONG_WAY, own, message + ", those of its kernel's .maxnreg");
        } else {
            tell(Rule.SETMAXNREG_WRONG_WAY, own, message, note(before.getLast()));
        }
    }

    /// Warps of the warpgroup synchronize before the next one: all have executed those before.
    private void requireOthers(Executed own, int before, List<Executed> all) {
        int first = own.warp.index() / WARPS * WARPS;
        for (int i = first; i < Math.min(first + WARPS, counts.length); i++) {
            if (counts[i] < before) {
                tell(
                        Rule.SETMAXNREG_DIFFERS,
                        own,
                        "%s by warp %d before warp %d of its warpgroup executed %s: they must synchronize between"
                                .formatted(own, own.warp.index(), i, all.get(counts[i])),
                        note(all.get(counts[i])));
                return;
            }
        }
    }

    /// All threads have ended: every warp must have executed all that others of its warpgroup did.
    void ended() {
        for (Warp warp : cta.warps()) {
            List<Executed> all = warpgroups.get(warp.index() / WARPS);
            int executed = counts[warp.index()];
            if (executed < all.size()) {
                Executed missed = all.get(executed);
                tell(
                        Rule.SETMAXNREG_DIFFERS,
                        missed,
                        "%s by warp %d, which warp %d of its warpgroup never executed"
                                .formatted(missed, missed.warp.index(), warp.index()));
                return;
            }
        }
    }
}
