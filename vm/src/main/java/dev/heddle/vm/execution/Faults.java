package dev.heddle.vm.execution;

import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes the findings of one warp.
final class Faults {
    private final Warp warp;

    Faults(Warp warp) {
        this.warp = warp;
    }

    Finding.Where where(int lanes) {
        Cta cta = warp.cta();
        return new Finding.Where(cta.x(), cta.y(), cta.z(), warp.index(), lanes);
    }

    KernelFault undefined(
            String rule,
            String section,
            @Nullable Site site,
            int lanes,
            String message,
            Finding.Note... notes) {
        return fault(Verdict.UNDEFINED_BEHAVIOR, rule, section, site, lanes, message, notes);
    }

    KernelFault unsupported(Site site, int lanes, String reason) {
        return fault(
                Verdict.UNSUPPORTED,
                "",
                "",
                site,
                lanes,
                reason + " cannot be executed by this machine");
    }

    KernelFault trap(Site site, int lanes) {
        return fault(
                Verdict.TRAP, "", "", site, lanes, site.instruction().opcode() + " was executed");
    }

    KernelFault fault(
            Verdict verdict,
            String rule,
            String section,
            @Nullable Site site,
            int lanes,
            String message,
            Finding.Note... notes) {
        return new KernelFault(
                new Finding(verdict, rule, section, site, message, where(lanes), List.of(notes)));
    }
}
