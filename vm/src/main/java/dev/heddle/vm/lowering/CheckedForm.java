package dev.heddle.vm.lowering;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Effects;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/// Adds to a code what finds registers that lanes use without having written them.
///
/// Most registers need nothing: on every path to a use stands a write. What is left gets a mask of
/// lanes at run time, and only its writes and its uses are followed. A plain copy is no use:
/// compilers copy values that nobody needs; the copy is as unwritten as its source.
final class CheckedForm {
    private final Code code;
    private final BitSet[] written;
    private final int[] slots;
    private final BitSet parameters = new BitSet();
    private int tracked;

    private CheckedForm(Code code) {
        this.code = code;
        written = new BitSet[code.blocks().size()];
        slots = new int[code.predicates() + code.words() + code.longs()];
    }

    /// The code with such steps, or the code itself where none are needed.
    static Code of(Code code) {
        CheckedForm form = new CheckedForm(code);
        form.solve();
        form.choose();
        return form.tracked == 0 ? code : code.withBlocks(form.rewrite(), form.tracked);
    }

    private int bit(Register register) {
        return register.index()
                + switch (register.width()) {
                    case PREDICATE -> 0;
                    case WORD -> code.predicates();
                    case LONG -> code.predicates() + code.words();
                };
    }

    // Which registers every path has written, at the beginning of each block.

    private void solve() {
        for (Code.Parameter parameter : code.parameters()) {
            if (parameter.register() != null) {
                parameters.set(bit(parameter.register()));
            }
            if (parameter.high() != null) {
                parameters.set(bit(parameter.high()));
            }
        }
        written[0] = (BitSet) parameters.clone();
        Deque<Integer> work = new ArrayDeque<>(List.of(0));
        while (!work.isEmpty()) {
            Block block = code.blocks().get(work.poll());
            BitSet state = (BitSet) written[block.number()].clone();
            block.steps().forEach(step -> apply(step, state));
            apply(block.exit(), state);
            for (int next : Effects.successors(block.exit())) {
                if (meet(next, state)) {
                    work.add(next);
                }
            }
        }
    }

    private boolean meet(int block, BitSet state) {
        if (written[block] == null) {
            written[block] = (BitSet) state.clone();
            return true;
        }
        int before = written[block].cardinality();
        written[block].and(state);
        return written[block].cardinality() < before;
    }

    private void apply(Step step, BitSet state) {
        Register source = copied(step);
        for (Register target : Effects.writes(step)) {
            boolean defined = source == null || state.get(bit(source));
            if (step.guard() == null) {
                state.set(bit(target), defined || parameters.get(bit(target)));
            }
        }
    }

    private void apply(Exit exit, BitSet state) {
        if (Effects.guardOf(exit) == null) {
            Effects.writes(exit).forEach(target -> state.set(bit(target)));
        }
    }

    private static @Nullable Register copied(Step step) {
        return step instanceof Step.Compute compute
                        && compute.operation().name().startsWith("move")
                        && compute.arguments().size() == 1
                        && compute.arguments().getFirst() instanceof Register source
                ? source
                : null;
    }

    // Which registers need a mask.

    private interface Use {
        void of(Register register, @Nullable Register copiedTo);
    }

    private void choose() {
        boolean grew = true;
        while (grew) {
            int before = tracked;
            for (Block block : code.blocks()) {
                uses(
                        block,
                        (register, target) -> {
                            if (target == null || slots[bit(target)] != 0) {
                                track(register);
                            }
                        });
            }
            grew = tracked > before;
        }
    }

    private void track(Register register) {
        if (slots[bit(register)] == 0) {
            slots[bit(register)] = ++tracked;
        }
    }

    /// Uses of registers that some path has not written.
    private void uses(Block block, Use use) {
        if (written[block.number()] == null) {
            return;
        }
        BitSet state = (BitSet) written[block.number()].clone();
        for (Step step : block.steps()) {
            Register source = copied(step);
            for (Register register : Effects.reads(step)) {
                if (!state.get(bit(register))) {
                    boolean copy = register.equals(source);
                    use.of(register, copy ? Effects.writes(step).getFirst() : null);
                }
            }
            apply(step, state);
        }
        for (Register register : usedAtExit(block.exit())) {
            if (!state.get(bit(register))) {
                use.of(register, null);
            }
        }
    }

    private static List<Register> usedAtExit(Exit exit) {
        List<Register> used = Effects.reads(exit);
        used.addAll(Effects.readsOfSuppliers(exit));
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
            for (Register target : Effects.writes(exit)) {
                int slot = slots[bit(target)];
                Site site = exit.site();
                if (slot != 0 && site != null) {
                    for (int next : Effects.successors(exit)) {
                        heads.get(next).add(new Step.Define(site, Effects.guardOf(exit), slot - 1));
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
        BitSet state = (BitSet) written[block.number()].clone();
        for (Step step : block.steps()) {
            Register source = copied(step);
            for (Register register : Effects.reads(step)) {
                if (!register.equals(source)) {
                    require(step.site(), guardFor(step.guard(), register), register, state, steps);
                }
            }
            steps.add(step);
            for (Register target : Effects.writes(step)) {
                note(step, target, source, state, steps);
            }
            apply(step, state);
        }
        Exit exit = block.exit();
        Site site = exit.site();
        if (site == null) {
            return;
        }
        for (Register register : Effects.reads(exit)) {
            require(site, guardFor(Effects.guardOf(exit), register), register, state, steps);
        }
        for (Collective.Supplied supplied : supplied(exit)) {
            if (supplied.source() instanceof Register register && !state.get(bit(register))) {
                steps.add(
                        new Step.RequireDefined(
                                site, null, register, slots[bit(register)] - 1, supplied.lanes()));
            }
        }
    }

    private static List<Collective.Supplied> supplied(Exit exit) {
        return exit instanceof Exit.Synchronize joint ? joint.joint().supplied() : List.of();
    }

    /// A guard's own predicate is used by all lanes.
    private static @Nullable Guard guardFor(@Nullable Guard guard, Register register) {
        return guard != null && guard.predicate().equals(register) ? null : guard;
    }

    private void require(
            Site site, @Nullable Guard guard, Register register, BitSet state, List<Step> steps) {
        if (!state.get(bit(register))) {
            steps.add(new Step.RequireDefined(site, guard, register, slots[bit(register)] - 1, -1));
        }
    }

    private void note(
            Step step, Register target, @Nullable Register source, BitSet state, List<Step> into) {
        int slot = slots[bit(target)];
        if (slot == 0) {
            return;
        }
        into.add(
                source == null || state.get(bit(source))
                        ? new Step.Define(step.site(), step.guard(), slot - 1)
                        : new Step.DefineAs(
                                step.site(), step.guard(), slot - 1, slots[bit(source)] - 1));
    }
}
