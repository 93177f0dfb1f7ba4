package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.RegisterNumbers;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.state.Frame;

import java.util.Arrays;
import java.util.BitSet;

/// The registers that a function may read before it has written them: all that must be cleared for
/// the next CTA.
final class EntryRegisters {
    private final int[] words;
    private final int[] longs;
    private final int[] predicates;

    EntryRegisters(Liveness liveness) {
        BitSet live = liveness.entry();
        RegisterNumbers numbers = liveness.numbers();
        words = numbers.indices(Width.WORD, live);
        longs = numbers.indices(Width.LONG, live);
        predicates = numbers.indices(Width.PREDICATE, live);
    }

    void clear(Frame frame) {
        for (int register : words) {
            Arrays.fill(frame.words, 32 * register, 32 * register + 32, 0);
        }
        for (int register : longs) {
            Arrays.fill(frame.longs, 32 * register, 32 * register + 32, 0);
        }
        for (int register : predicates) {
            frame.predicates[register] = 0;
        }
    }
}
