package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Effects;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.Set;

/// Which word registers are read by float arithmetic only: a NaN in them may be any, because their
/// bits are never seen and arithmetic makes its own.
final class HiddenBits {
    private static final Set<String> ARITHMETIC =
            Set.of(
                    "addF32",
                    "subtractF32",
                    "multiplyF32",
                    "divideF32",
                    "fusedF32",
                    "squareRootF32",
                    "approximateEx2F32",
                    "approximateEx2FtzF32",
                    "approximateLg2F32",
                    "approximateLg2FtzF32",
                    "approximateRcpF32",
                    "approximateRcpFtzF32",
                    "approximateRsqrtF32",
                    "approximateRsqrtFtzF32",
                    "approximateSqrtF32",
                    "approximateSqrtFtzF32",
                    "approximateSinF32",
                    "approximateSinFtzF32",
                    "approximateCosF32",
                    "approximateCosFtzF32",
                    "approximateTanhF32",
                    "approximateDivF32",
                    "approximateDivFtzF32",
                    "fullDivF32",
                    "fullDivFtzF32",
                    "multiplyFtzF32",
                    "divideFtzF32",
                    "fusedFtzF32",
                    "equalF32",
                    "lessF32",
                    "lessOrEqualF32",
                    "greaterF32",
                    "greaterOrEqualF32",
                    "notEqualOrUnorderedF32",
                    "lessOrUnorderedF32",
                    "lessOrEqualOrUnorderedF32",
                    "greaterOrUnorderedF32",
                    "greaterOrEqualOrUnorderedF32");

    private final BitSet seen = new BitSet();

    HiddenBits(Code code) {
        for (Code.Parameter result : code.results()) {
            see(result.register());
        }
        for (Block block : code.blocks()) {
            for (Step step : block.steps()) {
                if (!(step instanceof Step.Compute compute)
                        || !ARITHMETIC.contains(compute.operation().name())) {
                    Effects.reads(step).forEach(this::see);
                }
            }
            Effects.reads(block.exit()).forEach(this::see);
            Effects.readsOfSuppliers(block.exit()).forEach(this::see);
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
