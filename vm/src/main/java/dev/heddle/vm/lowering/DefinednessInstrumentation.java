package dev.heddle.vm.lowering;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.DefinednessStep;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.RegisterNumbers;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Adds to a program what finds registers that lanes use without having written them, and integers
/// that they divide by zero.
///
/// Most registers need nothing: on every path to a use is a write. What is left gets a mask of
/// lanes at run time, and only its writes and its uses are followed. A plain copy is no use:
/// compilers copy values that nobody needs; the copy is as unwritten as its source.
public final class DefinednessInstrumentation {
    private final Code code;
    private final WrittenRegisters written;
    private final RegisterNumbers numbers;
    private final int[] slots;
    private int tracked;
    private boolean divides;

    private DefinednessInstrumentation(Code code) {
        this.code = code;
        written = new WrittenRegisters(code);
        numbers = written.numbers();
        slots = new int[numbers.all()];
    }

    /// The program with such steps, or the program itself where none are needed.
    public static Program of(Program program) {
        List<Code> codes =
                program.codes().stream().map(code -> code.isLowered() ? of(code) : code).toList();
        return codes.equals(program.codes()) ? program : program.withCodes(codes);
    }

    /// The code with such steps, or the code itself where none are needed.
    static Code of(Code code) {
        DefinednessInstrumentation form = new DefinednessInstrumentation(code);
        form.choose();
        return form.tracked == 0 && !form.divides
                ? code
                : code.withBlocks(form.rewrite(), form.tracked);
    }

    // Which registers need a mask: those used where some path has not written them, and all that
    // they are copies of.

    private void choose() {
        Map<Integer, List<Register>> sources = new HashMap<>();
        Deque<Register> work = new ArrayDeque<>();
        for (Block block : code.blocks()) {
            WrittenRegisters.Point point = written.startOf(block);
            for (Step step : block.steps()) {
                Register source = WrittenRegisters.copied(step);
                divides |= divisor(step) != null;
                for (Register register : step.reads()) {
                    if (point.isWritten(register)) {
                        continue;
                    }
                    if (register.equals(source)) {
                        int target = numbers.of(step.writes().getFirst());
                        sources.computeIfAbsent(target, _ -> new ArrayList<>()).add(register);
                    } else {
                        work.add(register);
                    }
                }
                point.pass(step);
            }
            for (Register register : usedAtExit(block.exit())) {
                if (!point.isWritten(register)) {
                    work.add(register);
                }
            }
        }
        while (!work.isEmpty()) {
            int number = numbers.of(work.remove());
            if (slots[number] == 0) {
                slots[number] = ++tracked;
                work.addAll(sources.getOrDefault(number, List.of()));
            }
        }
    }

    private static List<Register> usedAtExit(Exit exit) {
        List<Register> used = new ArrayList<>(exit.reads());
        used.addAll(exit.readsOfSuppliers());
        return used;
    }

    // The code with the steps.

    private List<Block> rewrite() {
        List<List<Step>> heads = new ArrayList<>();
        for (int i = 0; i < code.blocks().size(); i++) {
            heads.add(new ArrayList<>());
        }
        for (Block block : code.blocks()) {
            Exit exit = block.exit();
            WrittenRegisters.Point end = written.startOf(block);
            block.steps().forEach(end::pass);
            for (Register target : exit.writes()) {
                int slot = slots[numbers.of(target)];
                Site site = exit.site();
                if (slot != 0 && site != null && !end.isWritten(target)) {
                    for (int next : exit.successors()) {
                        heads.get(next)
                                .add(new DefinednessStep.Define(site, exit.guard(), slot - 1));
                    }
                }
            }
        }
        List<Block> blocks = new ArrayList<>();
        for (Block block : code.blocks()) {
            List<Step> steps = heads.get(block.number());
            body(block, steps);
            blocks.add(new Block(block.number(), steps, block.exit()));
        }
        return blocks;
    }

    private void body(Block block, List<Step> steps) {
        WrittenRegisters.Point point = written.startOf(block);
        for (Step step : block.steps()) {
            Register source = WrittenRegisters.copied(step);
            for (Register register : step.reads()) {
                if (!register.equals(source)) {
                    require(step.site(), guardFor(step.guard(), register), register, point, steps);
                }
            }
            Source divisor = divisor(step);
            if (divisor != null) {
                steps.add(new DefinednessStep.RequireDivisor(step.site(), step.guard(), divisor));
            }
            steps.add(step);
            for (Register target : step.writes()) {
                note(step, target, source, point, steps);
            }
            point.pass(step);
        }
        Exit exit = block.exit();
        Site site = exit.site();
        if (site == null) {
            return;
        }
        for (Register register : exit.reads()) {
            require(site, guardFor(exit.guard(), register), register, point, steps);
        }
        for (Collective.Supplied supplied : supplied(exit)) {
            if (supplied.source() instanceof Register register && !point.isWritten(register)) {
                int slot = slots[numbers.of(register)] - 1;
                steps.add(
                        new DefinednessStep.RequireDefined(
                                site, supplied.guard(), register, slot, supplied.lanes()));
            }
        }
    }

    /// What a step divides an integer by, where that may be zero; else null.
    private static @Nullable Source divisor(Step step) {
        if (!(step instanceof Step.Compute compute) || !compute.operation().dividesIntegers()) {
            return null;
        }
        Source divisor = compute.arguments().get(1);
        return divisor instanceof Source.Constant(_, long bits) && bits != 0 ? null : divisor;
    }

    private static List<Collective.Supplied> supplied(Exit exit) {
        return exit instanceof Exit.Synchronize joint ? joint.joint().supplied() : List.of();
    }

    /// A guard's own predicate is used by all lanes.
    private static @Nullable Guard guardFor(@Nullable Guard guard, Register register) {
        return guard != null && guard.predicate().equals(register) ? null : guard;
    }

    private void require(
            Site site,
            @Nullable Guard guard,
            Register register,
            WrittenRegisters.Point point,
            List<Step> steps) {
        if (!point.isWritten(register)) {
            steps.add(
                    new DefinednessStep.RequireDefined(
                            site, guard, register, slots[numbers.of(register)] - 1, -1));
        }
    }

    private void note(
            Step step,
            Register target,
            @Nullable Register source,
            WrittenRegisters.Point point,
            List<Step> into) {
        int slot = slots[numbers.of(target)];
        if (slot == 0) {
            return;
        }
        if (source != null && !point.isWritten(source)) {
            int from = slots[numbers.of(source)] - 1;
            into.add(new DefinednessStep.DefineAs(step.site(), step.guard(), slot - 1, from));
        } else if (!point.isWritten(target)) {
            // Lanes that wrote it on every path to here are known already.
            into.add(new DefinednessStep.Define(step.site(), step.guard(), slot - 1));
        }
    }
}
