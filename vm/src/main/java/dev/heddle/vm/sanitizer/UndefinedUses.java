package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.LaneText;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Says where an undefined value that decides something came from.
record UndefinedUses(Warp warp, LoadedValues loads) {
    /// What is wrong with a register's value, as of this use of it.
    UndefinedBits.Origin origin(Frame frame, Site site, Register register, int lanes) {
        UndefinedBits.Origin known = frame.undefinedBits().origin(register);
        return known != null
                ? known
                : new UndefinedBits.Origin(neverWritten(frame, site, register, lanes, ""));
    }

    /// A value decides something: it is an error where one of these bits is undefined.
    void decide(Frame frame, Site site, @Nullable Source source, int lanes, long mask) {
        int undefined = frame.undefinedBits().lanes(source, lanes, mask);
        if (undefined != 0 && source instanceof Register register) {
            tell(frame, site, register, undefined, "");
        }
    }

    /// Tells of an undefined value that decides something; from then on it counts as defined.
    void tell(Frame frame, Site site, Register register, int undefined, String part) {
        UndefinedBits bits = frame.undefinedBits();
        UndefinedBits.Origin origin = bits.origin(register);
        Rule rule = origin == null ? Rule.UNINITIALIZED_REGISTER : origin.finding().rule();
        Site at = origin == null ? site : origin.finding().site();
        Site other = origin == null ? null : origin.finding().otherSite();
        warp.faults()
                .tell(rule, at, other, () -> undefined(frame, site, register, undefined, part));
        bits.define(register, undefined);
        if (at != null) {
            loads.use(at);
        }
    }

    /// Tells of undefined bits of memory that decide something.
    void tell(Site site, UndefinedBits.Origin origin) {
        Finding cause = origin.finding();
        warp.faults()
                .tell(
                        cause.rule(),
                        cause.site(),
                        cause.otherSite(),
                        () -> new KernelFault(mattering(cause, site, "what it reads")));
        if (cause.site() != null) {
            loads.use(cause.site());
        }
    }

    private static Finding mattering(Finding cause, Site site, String what) {
        List<Finding.Note> notes = new ArrayList<>();
        notes.add(new Finding.Note(site, "it matters here: %s comes from it".formatted(what)));
        notes.addAll(cause.notes());
        return cause.with(notes);
    }

    /// The fault of an undefined value that decides something.
    ///
    /// @param part why these lanes' values count, where it is not that they take part
    private KernelFault undefined(
            Frame frame, Site site, Register register, int undefined, String part) {
        UndefinedBits.Origin origin = frame.undefinedBits().origin(register);
        if (origin == null) {
            return new KernelFault(neverWritten(frame, site, register, undefined, part));
        }
        return new KernelFault(
                mattering(
                        origin.finding(),
                        site,
                        "%s of %s".formatted(name(register), LaneText.describe(undefined))));
    }

    private static String name(Register register) {
        return switch (register.kind()) {
            case CARRY -> "the carry flag CC.CF";
            case TEMPORARY -> "a value";
            case DECLARED -> register.name();
        };
    }

    private Finding neverWritten(
            Frame frame, Site site, Register register, int lanes, String part) {
        int wrote = warp.initial() & ~frame.undefinedBits().lanes(register, -1);
        UnwrittenRegister unwritten =
                new UnwrittenRegister(name(register), writers(frame, register), wrote);
        return new Finding(
                Rule.UNINITIALIZED_REGISTER,
                Rule.UNINITIALIZED_REGISTER.section(),
                site,
                unwritten.message(site, lanes, part),
                warp.faults().where(lanes),
                unwritten.notes(frame));
    }

    private static Set<Site> writers(Frame frame, Register register) {
        Set<Site> found = new LinkedHashSet<>();
        for (Block block : frame.code.blocks()) {
            for (Step step : block.steps()) {
                if (step.writes().contains(register)) {
                    found.add(step.site());
                }
            }
            Site site = block.exit().site();
            if (site != null && block.exit().writes().contains(register)) {
                found.add(site);
            }
        }
        return found;
    }
}
