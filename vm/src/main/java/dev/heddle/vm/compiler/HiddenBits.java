package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;

/// Which word registers are read by float arithmetic only: a NaN in them may be any, because their
/// bits are never seen and arithmetic makes its own.
final class HiddenBits {
    private final BitSet seen = new BitSet();

    HiddenBits(Code code) {
        for (Code.Parameter result : code.results()) {
            see(result.register());
        }
        for (Block block : code.blocks()) {
            for (Step step : block.steps()) {
                if (!(step instanceof Step.Compute compute) || !compute.operation().readsAnyNan()) {
                    step.reads().forEach(this::see);
                }
            }
            block.exit().reads().forEach(this::see);
            block.exit().readsOfSuppliers().forEach(this::see);
        }
    }

    private void see(@Nullable Register register) {
        if (register != null && register.width() == Width.WORD) {
            seen.set(register.index());
        }
    }

    boolean holds(Register register) {
        return register.width() == Width.WORD && !seen.get(register.index());
    }
}
