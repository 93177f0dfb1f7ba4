package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.DefinednessStep;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.util.LinkedHashSet;
import java.util.Set;

/// Follows which lanes have written the registers that a code asks about.
record RegisterChecks(Warp warp) {
    void follow(Frame frame, DefinednessStep step, int lanes) {
        int[] defined = frame.defined;
        switch (step) {
            case DefinednessStep.Define(_, _, int slot) -> defined[slot] |= lanes;
            case DefinednessStep.DefineAs(_, _, int slot, int from) ->
                    defined[slot] = defined[slot] & ~lanes | defined[from] & lanes;
            case DefinednessStep.RequireDefined require -> {
                int missing = lanes & require.users() & ~defined[require.slot()];
                if (missing != 0) {
                    warp.faults()
                            .tell(
                                    Rule.UNINITIALIZED_REGISTER,
                                    require.site(),
                                    null,
                                    () -> neverWritten(frame, require, missing));
                    defined[require.slot()] |= missing;
                }
            }
            case DefinednessStep.RequireDivisor require -> {
                int zero = Divisions.byZero(frame, require.divisor(), lanes);
                if (zero != 0) {
                    warp.faults()
                            .tell(
                                    Rule.DIVISION_BY_ZERO,
                                    require.site(),
                                    null,
                                    () -> Divisions.fault(warp, require.site(), zero));
                }
            }
        }
    }

    private KernelFault neverWritten(
            Frame frame, DefinednessStep.RequireDefined step, int missing) {
        Register register = step.register();
        boolean carry = register.kind() == Register.Kind.CARRY;
        String name = carry ? "the carry flag CC.CF" : register.name();
        String part = step.users() == -1 ? "" : " (they supply the metadata under this selector)";
        UnwrittenRegister unwritten =
                new UnwrittenRegister(
                        name, writers(frame, step.slot()), frame.defined[step.slot()]);
        return warp.faults()
                .fault(
                        Rule.UNINITIALIZED_REGISTER,
                        step.site(),
                        missing,
                        unwritten.message(step.site(), missing, part),
                        unwritten.notes(frame).toArray(Finding.Note[]::new));
    }

    private static Set<Site> writers(Frame frame, int slot) {
        Set<Site> found = new LinkedHashSet<>();
        for (Block block : frame.code.blocks()) {
            for (Step step : block.steps()) {
                switch (step) {
                    case DefinednessStep.Define(Site site, _, int written) when written == slot ->
                            found.add(site);
                    case DefinednessStep.DefineAs(Site site, _, int written, _)
                            when written == slot ->
                            found.add(site);
                    default -> {}
                }
            }
        }
        return found;
    }
}
