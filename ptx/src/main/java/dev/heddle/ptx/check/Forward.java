package dev.heddle.ptx.check;

import dev.heddle.ptx.LoadLimit;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;

/// Carries a state forward along every path of a flow until nothing changes.
///
/// @param <S> an immutable state with `equals`
abstract class Forward<S> {

    private final Flow flow;

    Forward(Flow flow) {
        this.flow = flow;
    }

    Flow flow() {
        return flow;
    }

    /// The state behind an instruction; the same object where it changes nothing.
    abstract S step(S before, int instruction);

    /// The state where two paths meet.
    abstract S meet(S one, S other);

    /// What is to be said about an instruction, once the state before it is final.
    abstract void inspect(S before, int instruction);

    void run(S start) {
        int size = flow.size();
        Object[] before = new Object[size + 1];
        if (size == 0) {
            return;
        }
        before[0] = start;
        Deque<Integer> work = new ArrayDeque<>();
        work.add(0);
        boolean[] queued = new boolean[size + 1];
        while (!work.isEmpty()) {
            LoadLimit.check();
            int at = work.removeFirst();
            queued[at] = false;
            S after = step(state(before, at), at);
            for (int next : flow.successors(at)) {
                @Nullable Object known = before[next];
                S merged = known == null ? after : meet(state(before, next), after);
                if (next < size && !merged.equals(known)) {
                    before[next] = merged;
                    if (!queued[next]) {
                        queued[next] = true;
                        work.add(next);
                    }
                }
            }
        }
        for (int i = 0; i < size; i++) {
            if (before[i] != null) {
                inspect(state(before, i), i);
            }
        }
    }

    @SuppressWarnings("unchecked") // only run() stores states, and only those of S
    private S state(@Nullable Object[] states, int index) {
        return (S) java.util.Objects.requireNonNull(states[index]);
    }
}
