package dev.heddle.vm.lowering;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.Variable;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Where the variables are that a function names: in its frame, which is local memory, in shared
/// memory, or where the module has them.
final class FrameLayout {
    private final ModuleLayout layout;
    private final Map<Variable, Integer> frameVariables = new HashMap<>();
    private final Map<Variable, Integer> kernelParameters = new HashMap<>();
    private final Set<Code.Placed> placed = new LinkedHashSet<>();
    private int bytes;

    FrameLayout(ModuleLayout layout) {
        this.layout = layout;
    }

    /// Bytes of the frame.
    int bytes() {
        return bytes;
    }

    /// The offset of a variable that is in the frame.
    int place(Variable variable) {
        Integer known = frameVariables.get(variable);
        if (known != null) {
            return known;
        }
        int alignment = Math.max(1, variable.effectiveAlignment());
        int offset = reserve(variable.sizeInBytes(), alignment);
        frameVariables.put(variable, offset);
        placed.add(placed(Space.LOCAL, variable, offset));
        return offset;
    }

    /// Room for so many bytes; returns its offset.
    int reserve(long more, int alignment) {
        bytes = (bytes + alignment - 1) / alignment * alignment;
        int offset = bytes;
        bytes = ModuleLayout.size("local variables", bytes + more);
        return offset;
    }

    /// The variables in shared and local memory that were named so far.
    List<Code.Placed> placed() {
        return List.copyOf(placed);
    }

    private static Code.Placed placed(Space space, Variable variable, long offset) {
        return new Code.Placed(
                space,
                variable.name(),
                offset,
                variable.sizeInBytes(),
                variable.elementBytes(),
                variable.dimensions());
    }

    private long sharedOffset(Variable variable) {
        int offset = layout.shared().offsetOf(variable);
        placed.add(placed(Space.SHARED, variable, offset));
        return offset;
    }

    /// A parameter of the kernel is at this offset of the parameter space.
    void placeKernelParameter(Variable parameter, int offset) {
        kernelParameters.put(parameter, offset);
    }

    /// The address a name stands for, in its own space.
    Source address(Operand.Symbol symbol) {
        Variable variable = symbol.variable();
        if (variable == null) {
            if (symbol.name().equals("WARP_SZ")) {
                return Source.word(32);
            }
            return Source.longword(layout.functionAddress(symbol.name()));
        }
        long base =
                switch (variable.space()) {
                    case GLOBAL, TEX -> layout.addressOf(variable);
                    case CONST -> layout.addressOf(variable) - layout.base();
                    case SHARED -> sharedOffset(variable);
                    case LOCAL -> -1;
                    case PARAM -> kernelParameters.getOrDefault(variable, -1);
                    case REG, SREG ->
                            throw new UnsupportedInstruction("the address of " + variable);
                };
        return base < 0
                ? new Source.FrameAddress(place(variable) + symbol.offset())
                : Source.longword(base + symbol.offset());
    }
}
