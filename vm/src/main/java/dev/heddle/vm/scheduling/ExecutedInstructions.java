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
                    add(block, lanes);
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

    /// Counts the instructions of a block, each of which has its steps one behind the other.
    private void add(Block block, long lanes) {
        int last = -1;
        for (Step step : block.steps()) {
            if (!(step instanceof DefinednessStep)) {
                last = add(step.site(), last, lanes);
            }
        }
        if (block.exit().site() != null) {
            add(block.exit().site(), last, lanes);
        }
    }

    /// Returns the number of the instruction.
    private int add(Site site, int last, long lanes) {
        if (site.number() != last) {
            instructions.merge(site.mnemonic(), lanes, Long::sum);
        }
        return site.number();
    }
}
