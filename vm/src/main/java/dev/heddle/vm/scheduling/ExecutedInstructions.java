package dev.heddle.vm.scheduling;

import dev.heddle.isa.Form;
import dev.heddle.tensorcore.numerics.Evidence;
import dev.heddle.tensorcore.numerics.Numerics;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.DefinednessStep;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.Report;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Grid;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What the workers of a launch executed, as its report says.
final class ExecutedInstructions {
    private final Grid grid;
    private final Map<String, Long> instructions = new HashMap<>();
    private final Map<String, Form> products = new HashMap<>();

    ExecutedInstructions(Grid grid, List<Cta.Worker> workers) {
        this.grid = grid;
        for (Code code : grid.program().codes()) {
            for (Block block : code.blocks()) {
                long lanes = 0;
                for (Cta.Worker worker : workers) {
                    lanes += worker.counters().of(code)[block.number()];
                }
                if (lanes > 0) {
                    add(code, block, lanes);
                    addProduct(block.exit());
                }
            }
        }
    }

    Report report(long nanoseconds, SortedMap<String, String> interpreted) {
        return new Report(
                nanoseconds,
                new TreeMap<>(instructions),
                grid.tensorCores().generation().toString(),
                evidence(),
                interpreted);
    }

    /// The form of a product by its instruction, `wmma` being made of several.
    private void addProduct(Exit exit) {
        if (exit instanceof Exit.Synchronize joint
                && joint.joint() instanceof Collective.Product product) {
            products.putIfAbsent(joint.site().mnemonic(), product.form());
        }
    }

    /// How the arithmetic of products is known, by their opcodes.
    private SortedMap<String, String> evidence() {
        SortedMap<String, String> numerics = new TreeMap<>();
        for (Form form : products.values()) {
            Numerics.of(form, grid.tensorCores().generation())
                    .map(rule -> rule.evidence().stream().map(Evidence::toString))
                    .map(evidence -> evidence.collect(Collectors.joining("; ")))
                    .ifPresent(evidence -> numerics.put(form.opcode(), evidence));
        }
        return numerics;
    }

    /// Counts the instructions of a block, each of which has its steps one behind the other. One
    /// that goes on behind the block counts there.
    private void add(Code code, Block block, long lanes) {
        Site last = null;
        for (Step step : block.steps()) {
            if (!(step instanceof DefinednessStep)) {
                last = add(last, step.site(), lanes);
            }
        }
        if (block.exit().site() != null) {
            last = add(last, block.exit().site(), lanes);
        }
        add(last, following(code, block), lanes);
    }

    /// Counts an instruction unless the next step is one of its own, too. Returns the next one.
    private @Nullable Site add(@Nullable Site last, @Nullable Site next, long lanes) {
        if (last != null && (next == null || last.number() != next.number())) {
            instructions.merge(last.mnemonic(), lanes, Long::sum);
        }
        return next;
    }

    /// The next instruction of lanes that go on behind a block, where that is known.
    private static @Nullable Site following(Code code, Block block) {
        return switch (block.exit()) {
            case Exit.Synchronize joint -> first(code, code.blocks().get(joint.next()));
            case Exit.Jump(var own, int next) when own == null ->
                    first(code, code.blocks().get(next));
            default -> null;
        };
    }

    private static @Nullable Site first(Code code, Block block) {
        for (Step step : block.steps()) {
            if (!(step instanceof DefinednessStep)) {
                return step.site();
            }
        }
        Site site = block.exit().site();
        return site == null ? following(code, block) : site;
    }
}
