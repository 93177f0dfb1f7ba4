package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.scheduling.Frame;

import java.util.Arrays;
import java.util.BitSet;

/// The registers that a function may read before it has written them: all that must be cleared for
/// the next CTA.
final class EntryRegisters {
    private final int[] words;
    private final int[] longs;
    private final int[] predicates;

    EntryRegisters(Code code, Liveness liveness) {
        BitSet live = liveness.entry();
        int firstPredicate = code.words() + code.longs();
        words = between(live, 0, code.words());
        longs = between(live, code.words(), firstPredicate);
        predicates = between(live, firstPredicate, firstPredicate + code.predicates());
    }

    private static int[] between(BitSet live, int from, int to) {
        return live.stream()
                .filter(bit -> bit >= from && bit < to)
                .map(bit -> bit - from)
                .toArray();
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
