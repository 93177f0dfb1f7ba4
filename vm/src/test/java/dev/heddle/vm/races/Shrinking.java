package dev.heddle.vm.races;

import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Makes a program that fails smaller, as long as it still does.
final class Shrinking {
    private final Predicate<SharingProgram> fails;
    private SharingProgram program;

    private Shrinking(SharingProgram program, Predicate<SharingProgram> fails) {
        this.program = program;
        this.fails = fails;
    }

    /// The program without instructions and threads that the failure does not need.
    static SharingProgram of(SharingProgram program, Predicate<SharingProgram> fails) {
        Shrinking shrinking = new Shrinking(program, fails);
        boolean isSmaller = true;
        while (isSmaller) {
            isSmaller = shrinking.dropsSlots() || shrinking.dropsActors();
        }
        return shrinking.program;
    }

    private boolean dropsSlots() {
        boolean drops = false;
        for (int i = program.slots().size() - 1; i >= 0; i--) {
            List<Slot> fewer = new ArrayList<>(program.slots());
            fewer.remove(i);
            drops |= becomes(fewer);
        }
        return drops;
    }

    /// Barriers of all threads keep them.
    private boolean dropsActors() {
        boolean drops = false;
        for (int i = 0; i < program.slots().size(); i++) {
            Slot slot = program.slots().get(i);
            int actors = slot.actors() == program.shape().all() ? 0 : slot.actors();
            for (int rest = actors & actors - 1; rest != 0; rest &= rest - 1) {
                List<Slot> fewer = new ArrayList<>(program.slots());
                fewer.set(i, new Slot(slot.operation(), actors & ~Integer.lowestOneBit(rest)));
                drops |= becomes(fewer);
            }
        }
        return drops;
    }

    private boolean becomes(List<Slot> slots) {
        SharingProgram smaller = new SharingProgram(program.shape(), List.copyOf(slots));
        boolean isIt = fails.test(smaller);
        program = isIt ? smaller : program;
        return isIt;
    }
}
