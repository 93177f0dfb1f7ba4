package dev.heddle.vm.lowering;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.Linkage;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Variable;
import dev.heddle.vm.ir.SharedGap;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// Where the variables of a module in shared memory are.
///
/// Those of kernels, and those that one kernel alone names, overlap from kernel to kernel; others
/// of the module and those of device functions come first and are common to all. Dynamic shared
/// memory starts after the largest of them. Between variables are gaps, so that an index that runs
/// over the end of one does not find the next (as AddressSanitizer does).
final class SharedLayout {
    private static final String SHARED_VARIABLES = "shared variables";

    /// Bytes of all gaps, about.
    private static final int MOST_GAPS = 64 << 10;

    private final Map<Variable, Integer> offsets = new HashMap<>();
    private final List<Variable> ofAll = new ArrayList<>();
    private final IdentityHashMap<Function, Own> ofKernel = new IdentityHashMap<>();
    private final Taken taken;

    /// What a kernel has in shared memory.
    ///
    /// @param bytes as a driver counts them
    /// @param variables in the order of their places
    private record Own(int bytes, List<Variable> variables) {}

    SharedLayout(Module module, List<Function> bodies) {
        taken = place(module, bodies);
    }

    /// Where dynamic shared memory begins.
    int dynamicOffset() {
        return taken.end();
    }

    /// Bytes of static shared memory, as a driver counts them.
    int bytes() {
        return taken.bytes();
    }

    /// The same of a function that may be a kernel.
    int bytesOf(Function function) {
        Own own = ofKernel.get(function);
        return own == null ? taken.bytes() : own.bytes();
    }

    /// What is nobody's between the variables of a function that may be a kernel.
    List<SharedGap> gapsOf(Function function) {
        Own own = ofKernel.get(function);
        List<Variable> variables = own == null ? ofAll : own.variables();
        List<SharedGap> gaps = new ArrayList<>();
        for (int i = 0; i < variables.size(); i++) {
            Variable variable = variables.get(i);
            int end = Math.toIntExact(offsetOf(variable) + variable.sizeInBytes());
            boolean isLast = i + 1 == variables.size();
            int next = isLast ? taken.end() : offsetOf(variables.get(i + 1));
            if (end < next && (!isLast || own != null)) {
                gaps.add(new SharedGap(end, next, variable.name(), variable.sizeInBytes()));
            }
        }
        return gaps;
    }

    int offsetOf(Variable variable) {
        Integer offset = offsets.get(variable);
        if (offset == null) {
            throw new UnsupportedInstruction("the shared variable " + variable.name());
        }
        return offset;
    }

    /// What shared variables take so far.
    ///
    /// @param end where the last one ends
    /// @param bytes as a driver would have given by now, who leaves no gaps
    private record Taken(int end, int bytes) {
        /// Leaves a gap in front of what follows.
        Taken align(int alignment) {
            int next = (int) ModuleLayout.align(end, alignment);
            boolean hasGap = end > 0 && end - bytes < MOST_GAPS;
            return new Taken(
                    hasGap ? next + ModuleLayout.gap(alignment) : next,
                    (int) ModuleLayout.align(bytes, alignment));
        }

        Taken plus(long more) {
            return new Taken(
                    ModuleLayout.size(SHARED_VARIABLES, end + more),
                    ModuleLayout.size(SHARED_VARIABLES, bytes + more));
        }

        Taken max(Taken other) {
            return new Taken(Math.max(end, other.end), Math.max(bytes, other.bytes));
        }
    }

    private Taken place(Module module, List<Function> bodies) {
        List<Variable> dynamic = new ArrayList<>();
        SharedUse use = SharedUse.of(bodies);
        List<Variable> variables = new ArrayList<>(module.variables());
        variables.removeIf(use::isOfOneKernel);
        for (Function function : bodies) {
            if (!function.isEntry()) {
                ModuleLayout.collect(function.body(), variables);
            }
        }
        Taken common = place(variables, new Taken(0, 0), dynamic, ofAll);
        Taken end = common;
        for (Function function : bodies) {
            if (function.isEntry()) {
                List<Variable> its = use.ownOf(function, module.variables());
                ModuleLayout.collect(function.body(), its);
                List<Variable> placed = new ArrayList<>(ofAll);
                Taken last = place(its, common, dynamic, placed);
                ofKernel.put(function, new Own(last.bytes(), placed));
                end = end.max(last);
            }
        }
        int alignment = 16;
        for (Variable variable : dynamic) {
            alignment = Math.max(alignment, variable.effectiveAlignment());
        }
        Taken start = dynamic.isEmpty() ? end : end.align(alignment);
        for (Variable variable : dynamic) {
            offsets.put(variable, start.end());
        }
        return start;
    }

    private Taken place(
            List<Variable> variables, Taken start, List<Variable> dynamic, List<Variable> placed) {
        Taken end = start;
        for (Variable variable : variables) {
            if (variable.space() != StateSpace.SHARED) {
                continue;
            }
            if (variable.linkage() == Linkage.EXTERN || variable.sizeInBytes() == 0) {
                dynamic.add(variable);
            } else {
                end = end.align(variable.effectiveAlignment());
                offsets.put(variable, end.end());
                placed.add(variable);
                end = end.plus(variable.sizeInBytes());
            }
        }
        return end;
    }
}
