package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Effects;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Step;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Which registers are still read after each block: a backward data flow over the control flow
/// graph.
///
/// Registers that are results are read by a return.
///
/// A definition ends liveness only where it has no guard. Lanes that do not take part keep their
/// values in the lane arrays,
/// so a partial mask needs no care.
final class Liveness {
    private final int words;
    private final int longs;
    private final List<BitSet> out = new ArrayList<>();
    private final BitSet entry;
    private final BitSet results = new BitSet();

    Liveness(Code code) {
        words = code.words();
        longs = code.longs();
        for (Code.Parameter result : code.results()) {
            if (result.register() != null) {
                results.set(bit(result.register()));
            }
            if (result.high() != null) {
                results.set(bit(result.high()));
            }
        }
        List<Block> blocks = code.blocks();
        List<BitSet> in = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            in.add(new BitSet());
            out.add(new BitSet());
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = blocks.size() - 1; i >= 0; i--) {
                BitSet live = new BitSet();
                for (int successor : Effects.successors(blocks.get(i).exit())) {
                    live.or(in.get(successor));
                }
                out.set(i, (BitSet) live.clone());
                exit(blocks.get(i).exit(), live);
                List<Step> steps = blocks.get(i).steps();
                for (int s = steps.size() - 1; s >= 0; s--) {
                    before(steps.get(s), live);
                }
                if (!live.equals(in.get(i))) {
                    in.set(i, live);
                    changed = true;
                }
            }
        }
        entry = in.getFirst();
    }

    /// What may be read before it is written.
    BitSet entry() {
        return entry;
    }

    /// What is read after each step of a block: element i stands for the point behind step i.
    List<BitSet> behind(Block block) {
        BitSet live = (BitSet) out.get(block.number()).clone();
        exit(block.exit(), live);
        List<BitSet> points = new ArrayList<>();
        for (int s = block.steps().size() - 1; s >= 0; s--) {
            points.addFirst((BitSet) live.clone());
            before(block.steps().get(s), live);
        }
        return points;
    }

    /// A register's bit in these sets.
    int bit(Register register) {
        return switch (register.width()) {
            case WORD -> register.index();
            case LONG -> words + register.index();
            case PREDICATE -> words + longs + register.index();
        };
    }

    private void before(Step step, BitSet live) {
        if (step.guard() == null) {
            Effects.writes(step).forEach(target -> live.clear(bit(target)));
        }
        Effects.reads(step).forEach(source -> live.set(bit(source)));
    }

    private void exit(Exit exit, BitSet live) {
        Effects.reads(exit).forEach(source -> live.set(bit(source)));
        Effects.readsOfSuppliers(exit).forEach(source -> live.set(bit(source)));
        if (exit instanceof Exit.Return) {
            live.or(results);
        }
    }
}
