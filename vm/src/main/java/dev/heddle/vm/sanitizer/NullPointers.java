package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/// Finds the pointer behind an address near zero: the parameter of the kernel, or the pointer in
/// memory, from which the code computes it.
record NullPointers(Warp warp, Frame frame, int lane) {
    /// Addresses below are a null pointer, or an offset from one.
    static final long END = 4096;

    /// Which pointer was null, where that can be told.
    ///
    /// @param site of the access
    static Optional<Finding.Note> behind(Warp warp, Site site, int lane) {
        Frame frame = warp.running();
        return frame == null ? Optional.empty() : new NullPointers(warp, frame, lane).search(site);
    }

    private Optional<Finding.Note> search(Site site) {
        Queue<Register> ahead = new ArrayDeque<>();
        Set<Register> seen = new HashSet<>();
        frame.code
                .steps()
                .filter(step -> step.site().equals(site))
                .forEach(step -> push(step.reads(), seen, ahead));
        while (!ahead.isEmpty()) {
            for (Step writer : writers(ahead.remove())) {
                Finding.Note found = writer instanceof Step.Load load ? nullIn(load) : null;
                if (found != null) {
                    return Optional.of(found);
                }
                if (writer instanceof Step.Compute) {
                    push(writer.reads(), seen, ahead);
                }
            }
        }
        return Optional.empty();
    }

    private static void push(List<Register> registers, Set<Register> seen, Queue<Register> ahead) {
        for (Register register : registers) {
            if (register.width() == Width.LONG && seen.add(register)) {
                ahead.add(register);
            }
        }
    }

    private List<Step> writers(Register register) {
        return frame.code.steps().filter(step -> step.writes().contains(register)).toList();
    }

    private Finding.@Nullable Note nullIn(Step.Load load) {
        if (load.access().bytes() != Long.BYTES) {
            return null;
        }
        if (load.access().space() == Space.PARAM) {
            return load.base() instanceof Source.Constant base && frame.code.kernel()
                    ? nullParameter(load, base.bits() + load.offset())
                    : null;
        }
        Register target = load.targets().getFirst();
        boolean isNull = target != null && frame.value(target, lane) == 0;
        return isNull
                ? new Finding.Note(load.site(), "the pointer that was loaded here is null")
                : null;
    }

    private Finding.@Nullable Note nullParameter(Step.Load load, long offset) {
        MemorySegment parameters = warp.cta().grid().parameters();
        if (offset + Long.BYTES > parameters.byteSize()
                || parameters.get(ValueLayout.JAVA_LONG_UNALIGNED, offset) != 0) {
            return null;
        }
        List<Code.Parameter> declared = frame.code.parameters();
        for (int i = 0; i < declared.size(); i++) {
            Code.Parameter one = declared.get(i);
            long inside = offset - one.offset();
            if (inside >= 0 && inside < one.bytes()) {
                return new Finding.Note(
                        load.site(),
                        "parameter %s of %s%s is null"
                                .formatted(
                                        name(one, i),
                                        frame.code.sourceName(),
                                        inside == 0 ? "" : ", byte " + inside + ","));
            }
        }
        return null;
    }

    /// As the kernel declares it. Compilers give it a number, behind the kernel's mangled name.
    private String name(Code.Parameter parameter, int number) {
        String numbered = frame.code.name() + "_param_" + number;
        return parameter.name().equals(numbered) ? number + ", counted from 0," : parameter.name();
    }
}
