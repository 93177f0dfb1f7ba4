package dev.heddle.vm.trace;

import dev.heddle.ptx.SourceText;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.SpecialRegister;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.LaneText;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.SpecialRegisterValues;
import dev.heddle.vm.state.StepListener;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Shows the instructions that some lanes execute, each with the registers it names: what it read
/// and what it left.
///
/// An instruction is shown once all its steps are done, before the next one begins. For launches on
/// one worker thread.
public final class Tracer implements StepListener {
    private final TraceFilter filter;
    private final SourceText source;
    private final Consumer<String> lines;
    private @Nullable Pending pending;
    private long shown;
    private boolean closed;

    /// An instruction whose steps are being taken.
    private static final class Pending {
        final Frame frame;
        final Site site;
        final Map<String, Register> registers = new LinkedHashMap<>();
        int lanes;

        Pending(Frame frame, Site site) {
            this.frame = frame;
            this.site = site;
        }

        void add(List<Register> named) {
            for (Register register : named) {
                if (register.isDeclared()) {
                    registers.putIfAbsent(register.name(), register);
                }
            }
        }

        void add(@Nullable Guard guard) {
            if (guard != null) {
                add(List.of(guard.predicate()));
            }
        }
    }

    /// A tracer that writes lines.
    public Tracer(TraceFilter filter, SourceText source, Consumer<String> lines) {
        this.filter = filter;
        this.source = source;
        this.lines = lines;
    }

    @Override
    public void before(Frame frame, Step step, int mask) {
        int lanes = frame.where(step.guard(), mask);
        Pending at = lanes == 0 ? null : at(frame, step.site(), lanes);
        if (at != null) {
            at.add(step.writes());
            at.add(step.effects().reads());
            at.add(step.guard());
        }
    }

    @Override
    public void before(Frame frame, Exit exit, int lanes) {
        Site site = exit.site();
        if (site == null) {
            flush(frame);
            return;
        }
        Pending at = at(frame, site, lanes);
        if (at != null) {
            // Lanes that meet others have their results when they go on; those of a call come
            // later.
            boolean meets = exit instanceof Exit.Synchronize;
            if (meets) {
                at.add(exit.writes());
            }
            at.add(exit.effects().reads());
            at.add(exit.readsOfSuppliers());
            at.add(exit.guard());
            if (!meets) {
                flush(frame);
            }
        }
    }

    /// The instruction that a step belongs to, or null where it is not followed.
    private @Nullable Pending at(Frame frame, Site site, int lanes) {
        Pending last = pending;
        if (last != null && last.frame.warp == frame.warp && last.site.number() != site.number()) {
            flush(frame);
            last = null;
        }
        int followed = lanes & filter.lanes();
        if (followed == 0 || closed || !isFollowed(frame, site)) {
            return null;
        }
        if (last == null) {
            last = new Pending(frame, site);
            pending = last;
        }
        last.lanes |= followed;
        return last;
    }

    private boolean isFollowed(Frame frame, Site site) {
        int line = site.position().line();
        SpecialRegisterValues special = frame.warp.special();
        return special.value(SpecialRegister.WARPID, 0) == filter.warp()
                && special.value(SpecialRegister.CTAID_X, 0) == filter.x()
                && special.value(SpecialRegister.CTAID_Y, 0) == filter.y()
                && special.value(SpecialRegister.CTAID_Z, 0) == filter.z()
                && line >= filter.firstLine()
                && line <= filter.lastLine();
    }

    /// Shows the instruction that has ended.
    private void flush(Frame frame) {
        Pending done = pending;
        if (done == null || done.frame.warp != frame.warp) {
            return;
        }
        pending = null;
        if (!filter.registers().isEmpty()
                && done.registers.keySet().stream().noneMatch(filter.registers()::contains)) {
            return;
        }
        if (shown == filter.most()) {
            closed = true;
            lines.accept("trace: ends after %d instructions; max=N shows more".formatted(shown));
            return;
        }
        shown++;
        show(done);
    }

    private void show(Pending done) {
        int line = done.site.position().line();
        lines.accept(
                "trace: %d: %s   [%s]"
                        .formatted(line, source.line(line).strip(), LaneText.describe(done.lanes)));
        String type = Values.type(done.site.qualifiers());
        for (Register register : done.registers.values()) {
            if (filter.registers().isEmpty() || filter.registers().contains(register.name())) {
                lines.accept("trace:     " + values(done, register, type));
            }
        }
    }

    private static String values(Pending done, Register register, String type) {
        List<Long> bits = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        for (int lane = 0; lane < 32; lane++) {
            if ((done.lanes >>> lane & 1) != 0) {
                long value = done.frame.value(register, lane);
                bits.add(value);
                parts.add(lane + ": " + Values.describe(value, register.bits(), type));
            }
        }
        String text =
                parts.size() > 1 && bits.stream().distinct().count() == 1
                        ? "all " + Values.describe(bits.getFirst(), register.bits(), type)
                        : String.join("  ", parts);
        return register.name() + " = " + text;
    }
}
