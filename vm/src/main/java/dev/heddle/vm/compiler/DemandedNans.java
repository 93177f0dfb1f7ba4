package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;

/// Which word registers must hold the very NaN that the manual says, because something reads their
/// bits. Those that only float arithmetic reads may hold any: it makes NaNs of its own. LLVM's
/// demanded bits are the same idea.
final class DemandedNans {
    private final BitSet demanded = new BitSet();

    DemandedNans(Code code) {
        for (Code.Parameter result : code.results()) {
            demand(result.register());
        }
        for (Block block : code.blocks()) {
            for (Step step : block.steps()) {
                if (!(step instanceof Step.Compute compute) || !compute.operation().readsAnyNan()) {
                    step.reads().forEach(this::demand);
                }
            }
            block.exit().reads().forEach(this::demand);
            block.exit().readsOfSuppliers().forEach(this::demand);
        }
    }

    private void demand(@Nullable Register register) {
        if (register != null && register.width() == Width.WORD) {
            demanded.set(register.index());
        }
    }

    /// Whether the bits of a NaN in a register count.
    boolean has(Register register) {
        return register.width() != Width.WORD || demanded.get(register.index());
    }
}
