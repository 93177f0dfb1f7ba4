package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Steps without memory effects, one after the other, that become one method: a loop over the
/// lanes of a warp, what implementations of OpenCL on CPUs call a work-item loop.
///
/// @param steps operations, predefined registers and kernel parameters
/// @param stored registers that are read afterwards
/// @param vector whether every operation has a variant on vectors
record LaneLoop(List<Step.Producer> steps, Set<Register> stored, boolean vector) {

    /// Whether a step may be part of a loop.
    ///
    /// @param parameterBytes that the parameters of its function take
    static boolean takes(Step.Producer step, int parameterBytes) {
        return switch (step) {
            case Step.Compute _ -> true;
            case Step.ReadSpecial special -> special.guard() == null && isPlain(special);
            case Step.Load load -> isParameter(load, parameterBytes);
        };
    }

    private static boolean isPlain(Step.ReadSpecial step) {
        return switch (step.special()) {
            case TID_X,
                    TID_Y,
                    TID_Z,
                    LANEID,
                    NTID_X,
                    NTID_Y,
                    NTID_Z,
                    CTAID_X,
                    CTAID_Y,
                    CTAID_Z,
                    NCTAID_X,
                    NCTAID_Y,
                    NCTAID_Z ->
                    true;
            default -> false;
        };
    }

    /// A parameter at a fixed place, as wide as its register: the same value in all lanes. Loads
    /// from elsewhere go where what is wrong with them is found.
    private static boolean isParameter(Step.Load load, int parameterBytes) {
        Register register = only(load);
        return register != null
                && load.access().space() == Space.PARAM
                && load.guard() == null
                && load.base() instanceof Source.Constant(_, long base)
                && base + load.offset() >= 0
                && base + load.offset() + load.access().bytes() <= parameterBytes
                && (base + load.offset()) % load.access().bytes() == 0
                && register.bits() == 8 * load.access().bytes()
                && register.bits() >= 32;
    }

    private static @Nullable Register only(Step.Load load) {
        return load.targets().size() == 1 ? load.targets().getFirst() : null;
    }

    /// The register that a step of a loop writes.
    static Register target(Step.Producer step) {
        return switch (step) {
            case Step.Compute compute -> compute.target();
            case Step.ReadSpecial special -> special.target();
            case Step.Load load -> {
                Register register = only(load);
                if (register == null) {
                    throw new IllegalArgumentException(step.site() + " is in no loop over lanes");
                }
                yield register;
            }
        };
    }

    /// The loop of these steps.
    ///
    /// @param behind the point behind them
    static LaneLoop of(List<Step.Producer> steps, Liveness.Point behind) {
        Set<Register> stored = new LinkedHashSet<>();
        boolean vector = VectorVariants.available();
        for (Step.Producer step : steps) {
            Register target = target(step);
            if (behind.reads(target)) {
                stored.add(target);
            }
            vector =
                    vector
                            && (!(step instanceof Step.Compute compute)
                                    || VectorVariants.has(compute));
        }
        return new LaneLoop(steps, stored, vector);
    }
}
