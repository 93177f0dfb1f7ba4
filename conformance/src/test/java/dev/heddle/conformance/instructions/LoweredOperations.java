package dev.heddle.conformance.instructions;

import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.lowering.Lowering;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/// The operations that modules are lowered to.
///
/// @param steps that compute
/// @param operations of these steps
/// @param exchanges of the lanes of a warp
public record LoweredOperations(
        Set<Step.Compute> steps, Set<Operation> operations, Set<Collective.Exchange> exchanges) {
    private static final int SEEDS = 8;
    private static final LoweredOperations OF_EVERY_LINE = deal();

    /// Of no module.
    public static LoweredOperations none() {
        return new LoweredOperations(
                new HashSet<>(),
                new TreeSet<>(Comparator.comparing(Operation::toString)),
                new HashSet<>());
    }

    /// Those of legal instructions of every line of the table of instructions.
    public static LoweredOperations ofEveryLine() {
        return OF_EVERY_LINE;
    }

    private static LoweredOperations deal() {
        LoweredOperations dealt = none();
        for (int seed = 1; seed <= SEEDS; seed++) {
            dealt.deal("sm_61", "6.3", seed);
            dealt.deal("sm_90a", "9.0", seed);
            dealt.deal("sm_120a", "9.0", seed);
        }
        dealt.deal("sm_100a", "9.0", 1);
        // No specimen packs words.
        dealt.add(
                """
                .version 8.3
                .target sm_90
                .address_size 64
                .visible .entry k() {
                .reg .b64 %rd; .reg .b32 %r;
                mov.u32 %r, 1;
                mov.b64 %rd, {%r, %r};
                ret;
                }
                """);
        return dealt;
    }

    private void deal(String architecture, String version, long seed) {
        add(Specimens.module(architecture, version, Specimens.of(architecture, version, seed)));
    }

    /// Adds those of a module.
    private void add(String module) {
        Lowering.lower(BoundModule.of(Ptx.parse(module, "k.ptx"))).codes().forEach(this::add);
    }

    /// Adds those of a function.
    public void add(Code code) {
        for (Block block : code.blocks()) {
            for (Step step : block.steps()) {
                if (step instanceof Step.Compute compute) {
                    operations.add(compute.operation());
                    steps.add(compute);
                }
            }
            if (block.exit() instanceof Exit.Synchronize joint
                    && joint.joint() instanceof Collective.Exchange exchange) {
                exchanges.add(exchange);
            }
        }
    }
}
