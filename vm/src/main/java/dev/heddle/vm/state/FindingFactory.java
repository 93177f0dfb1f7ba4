package dev.heddle.vm.state;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.SpecialRegister;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Party;
import dev.heddle.vm.shadow.GlobalStamp;
import dev.heddle.vm.shadow.Stamp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Supplier;

/// Makes the findings of one warp.
public final class FindingFactory {
    private static final int MOST_VALUES = 6;

    private static final String COOPERATIVE =
            "grid.sync() needs a cooperative launch, and this one is ordinary: give it"
                + " --cooperative, \"cooperative\": true in a launch file, or Launch.cooperative()"
                + " in Java";

    private final Warp warp;
    private final Set<Warning> warned = new HashSet<>();

    /// What was told already, in this launch.
    private record Warning(Rule rule, Site site, @Nullable Site other) {}

    public FindingFactory(Warp warp) {
        this.warp = warp;
    }

    public Finding.Where where(int lanes) {
        Cta cta = warp.cta();
        return new Finding.Where(
                cta.x(), cta.y(), cta.z(), warp.index(), lanes, cta.grid().shape().block());
    }

    /// Tells what the kernel survives; where the first finding ends the launch, throws it.
    ///
    /// @param other the instruction on the other side of a race, or null
    public void tell(
            Rule rule, @Nullable Site site, @Nullable Site other, Supplier<KernelFault> fault) {
        if (isLookedFor(rule)) {
            warp.cta().grid().findings().tell(warp.cta().index(), rule, site, other, fault);
        }
    }

    /// Who looks at order, as two groups do, may come upon what only the other one asks for.
    private boolean isLookedFor(Rule rule) {
        RuleGroup group = rule.group();
        return !RuleGroup.CHECKS.contains(group) || warp.cta().grid().checks(group);
    }

    /// Tells what deserves a look and ends nothing.
    ///
    /// @param other the instruction on the other side, or null
    public void warn(Rule rule, Site site, @Nullable Site other, Supplier<KernelFault> fault) {
        // Most are seen many times: the log, which all warps share, is asked once.
        if (isLookedFor(rule) && warned.add(new Warning(rule, site, other))) {
            warp.cta()
                    .grid()
                    .findings()
                    .warn(warp.cta().index(), rule, site, other, () -> fault.get().finding());
        }
    }

    /// The warp's CTA is one of another launch.
    void serve() {
        warned.clear();
    }

    /// The same for what is found already.
    public void tell(KernelFault fault) {
        Finding finding = fault.finding();
        tell(finding.rule(), finding.site(), finding.otherSite(), () -> fault);
    }

    /// A thread of the CTA, and the instruction by which it has a part in a finding.
    ///
    /// @param site its number, or [Stamp#NO_SITE]
    public Party party(int thread, int site) {
        return new Party(
                null,
                thread,
                warp.cta().grid().shape().block(),
                site == Stamp.NO_SITE ? null : warp.cta().grid().program().sites().get(site));
    }

    /// Who left a stamp in the shadow of global memory.
    public Party party(GlobalStamp stamps, long stamp) {
        if (stamps.isAnyCta(stamps.cta(stamp))) {
            return Party.elsewhere(warp.cta().grid().shape().block());
        }
        return party(stamps.cta(stamp), GlobalStamp.thread(stamp), stamps.site(stamp));
    }

    /// A thread of some CTA that has a part in a finding of this warp.
    ///
    /// @param cta its index in the grid
    /// @param site its number, or [Stamp#NO_SITE]
    public Party party(int cta, int thread, int site) {
        Party near = party(thread, site);
        if (cta == warp.cta().index()) {
            return near;
        }
        Extent extent = warp.cta().grid().shape().extent();
        Party.Cta place =
                new Party.Cta(
                        cta % extent.x(),
                        cta / extent.x() % extent.y(),
                        cta / extent.x() / extent.y());
        return new Party(place, thread, near.block(), near.site());
    }

    /// The manual leaves undefined what lanes did; says what they had in their registers.
    public KernelFault undefined(
            Rule rule, @Nullable Site site, int lanes, String message, Finding.Note... notes) {
        return undefined(rule, rule.section(), site, lanes, message, notes);
    }

    /// The same, by another section than the rule's own.
    public KernelFault undefined(
            Rule rule,
            String section,
            @Nullable Site site,
            int lanes,
            String message,
            Finding.Note... notes) {
        List<Finding.Note> all = new ArrayList<>(List.of(notes));
        String values = site == null ? "" : values(site, Integer.numberOfTrailingZeros(lanes));
        if (!values.isEmpty()) {
            all.add(new Finding.Note(null, values));
        }
        return fault(rule, section, site, lanes, message, all.toArray(Finding.Note[]::new));
    }

    /// The registers that an instruction reads, as a lane has them.
    private String values(Site site, int lane) {
        Frame frame = warp.running();
        if (frame == null || lane > 31) {
            return "";
        }
        Set<Register> registers = new LinkedHashSet<>();
        for (Block block : frame.code.blocks()) {
            for (Step step : block.steps()) {
                if (step.site().equals(site)) {
                    registers.addAll(step.reads());
                }
            }
            if (site.equals(block.exit().site())) {
                registers.addAll(block.exit().reads());
            }
        }
        registers.removeIf(register -> !register.isDeclared());
        if (registers.isEmpty() || registers.size() > MOST_VALUES) {
            return "";
        }
        StringJoiner text = new StringJoiner(", ", "lane " + lane + " has ", "");
        for (Register register : registers) {
            text.add(register.name() + " = " + value(frame.value(register, lane), register));
        }
        return text.toString();
    }

    private static String value(long bits, Register register) {
        if (register.bits() == 1) {
            return bits != 0 ? "true" : "false";
        }
        long signed = register.bits() == 64 ? bits : (int) bits;
        return Math.abs(signed) < 10 ? Long.toString(signed) : "0x%x".formatted(bits);
    }

    public KernelFault unsupported(Site site, int lanes, String reason) {
        return fault(
                Rule.UNSUPPORTED_INSTRUCTION,
                site,
                lanes,
                reason + " cannot be executed by this machine");
    }

    public KernelFault trap(Site site, int lanes) {
        Finding.Note[] notes =
                looksForWorkspace()
                        ? new Finding.Note[] {new Finding.Note(null, COOPERATIVE)}
                        : new Finding.Note[0];
        return fault(Rule.TRAP, site, lanes, site.opcode() + " was executed", notes);
    }

    /// Whether an ordinary launch runs code for a cooperative one: `grid.sync()` asks `%envreg1`
    /// and `%envreg2` where the CTAs meet, and traps where they meet nowhere.
    private boolean looksForWorkspace() {
        Frame frame = warp.running();
        return frame != null
                && warp.cta().grid().workspace() == 0
                && frame.code
                        .steps()
                        .anyMatch(
                                step ->
                                        step instanceof Step.ReadSpecial read
                                                && read.special() == SpecialRegister.ENVREG2);
    }

    /// Lanes broke a rule; only what the notes say is added.
    public KernelFault fault(
            Rule rule, @Nullable Site site, int lanes, String message, Finding.Note... notes) {
        return fault(rule, rule.section(), site, lanes, message, notes);
    }

    /// The same, by another section than the rule's own.
    public KernelFault fault(
            Rule rule,
            String section,
            @Nullable Site site,
            int lanes,
            String message,
            Finding.Note... notes) {
        return new KernelFault(
                new Finding(rule, section, site, message, where(lanes), List.of(notes)));
    }
}
