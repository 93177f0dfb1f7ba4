package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.state.Cta;
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
    private record Executed(Step.SetRegisters step, Warp warp) {}

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

    /// A warp executes one. Of lanes that come one after the other, the first live one counts.
    void set(Warp warp, Step.SetRegisters step, int lanes) {
        List<Executed> all = warpgroups.get(warp.index() / WARPS);
        int at = counts[warp.index()];
        boolean isFirst = (lanes & Integer.lowestOneBit(warp.live())) != 0;
        if (!cta.grid().checks(RuleGroup.WARP) || at == MOST || !isFirst) {
            return;
        }
        counts[warp.index()]++;
        if (at == all.size()) {
            requireWay(warp, step, all, lanes);
            all.add(new Executed(step, warp));
            return;
        }
        Executed first = all.get(at);
        if (first.step.increases() != step.increases() || first.step.count() != step.count()) {
            tell(warp, step, first, lanes);
        }
    }

    private static void tell(Warp warp, Step.SetRegisters step, Executed first, int lanes) {
        warp.faults()
                .tell(
                        warp.faults()
                                .fault(
                                        Rule.SETMAXNREG_DIFFERS,
                                        step.site(),
                                        lanes,
                                        "%s of %d registers by warp %d, where another warp of its warpgroup executes %s of %d"
                                                .formatted(
                                                        step.site().mnemonic(),
                                                        step.count(),
                                                        warp.index(),
                                                        first.step.site().mnemonic(),
                                                        first.step.count()),
                                        note(first)));
    }

    private static Finding.Note note(Executed first) {
        return new Finding.Note(
                first.step.site(), "executed here by warp %d".formatted(first.warp.index()));
    }

    /// How many registers a warp has at first is not known here.
    private static void requireWay(
            Warp warp, Step.SetRegisters step, List<Executed> before, int lanes) {
        if (before.isEmpty()) {
            return;
        }
        Executed last = before.getLast();
        int has = last.step.count();
        if (step.increases() ? step.count() < has : step.count() > has) {
            warp.faults()
                    .tell(
                            warp.faults()
                                    .fault(
                                            Rule.SETMAXNREG_WRONG_WAY,
                                            step.site(),
                                            lanes,
                                            "%s of %d registers by a warp that has %d"
                                                    .formatted(
                                                            step.site().mnemonic(),
                                                            step.count(),
                                                            has),
                                            note(last)));
        }
    }

    /// All threads have ended: every warp must have executed all that others of its warpgroup did.
    void ended() {
        for (Warp warp : cta.warps()) {
            List<Executed> all = warpgroups.get(warp.index() / WARPS);
            int executed = counts[warp.index()];
            if (executed < all.size()) {
                Executed missed = all.get(executed);
                missed.warp
                        .faults()
                        .tell(
                                missed.warp
                                        .faults()
                                        .fault(
                                                Rule.SETMAXNREG_DIFFERS,
                                                missed.step.site(),
                                                -1,
                                                "%s of %d registers by warp %d, which warp %d of its warpgroup never executed"
                                                        .formatted(
                                                                missed.step.site().mnemonic(),
                                                                missed.step.count(),
                                                                missed.warp.index(),
                                                                warp.index())));
                return;
            }
        }
    }
}
