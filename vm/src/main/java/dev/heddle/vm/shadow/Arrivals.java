package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The threads that have arrived at an mbarrier object and release what they know and did: for the
/// cluster, which is all that can wait for the object.
///
/// An arrival only leaves its clock. Mostly nobody asks for what was released before the end of a
/// phase, and then of many arrivals at once.
final class Arrivals {
    // One of each CTA whose threads have arrived.
    private final List<Group> groups = new ArrayList<>(1);
    private boolean isNew;

    // What they had released when somebody asked last.
    private @Nullable Message last;

    /// The threads of a CTA that have arrived.
    private static final class Group {
        private final int cta;

        // What any of them knew.
        private VectorClock known;

        // The warps of which some have arrived, and by warp and lane the clocks of those.
        private long warps;
        private final int[] @Nullable [] clocks;

        Group(int cta, VectorClock nothing) {
            this.cta = cta;
            known = nothing;
            clocks = new int[nothing.warps()][];
        }

        void add(VectorClock more, int warp, int lanes, int clock) {
            known = known.join(more);
            warps |= 1L << warp;
            int[] row = clocks[warp];
            if (row == null) {
                row = new int[32];
                clocks[warp] = row;
            }
            for (int lane = 0; lane < 32; lane++) {
                row[lane] = (lanes >>> lane & 1) != 0 ? clock : row[lane];
            }
        }

        Message.Part released() {
            return new Message.Part(cta, Scope.CLUSTER, known.reaching(warps, clocks), false);
        }
    }

    /// Lanes of a warp arrive.
    ///
    /// @param order that of their CTA
    void add(HappensBefore order, int warp, int lanes) {
        add(order, order.knownBy(warp, lanes), warp, lanes | order.absent(warp), order.clock(warp));
    }

    /// An asynchronous operation arrives, which no thread waits for: it releases itself alone.
    ///
    /// @param thread that stands for it
    void addAside(HappensBefore order, int thread) {
        addAside(order, thread / 32, 1 << thread % 32, order.clockOf(thread));
    }

    /// The same of those that lanes of a warp stand for.
    void addAside(HappensBefore order, int warp, int lanes, int clock) {
        add(order, order.nothing(), warp, lanes, clock);
    }

    private void add(HappensBefore order, VectorClock known, int warp, int lanes, int clock) {
        isNew = true;
        for (Group group : groups) {
            if (group.cta == order.cta()) {
                group.add(known, warp, lanes, clock);
                return;
            }
        }
        Group group = new Group(order.cta(), order.nothing());
        group.add(known, warp, lanes, clock);
        groups.add(group);
    }

    /// What they release, with what the object's memory released before.
    @SuppressWarnings("ReferenceEquality") // saves work only
    @Nullable Message joined(@Nullable Message before) {
        if (!isNew) {
            return before;
        }
        isNew = false;
        List<Message.Part> parts = new ArrayList<>(groups.size());
        for (Group group : groups) {
            parts.add(group.released());
        }
        Message own = new Message(parts);
        // What they had released is among what they release.
        Message joined = before == null || before == last ? own : before.join(own);
        last = own;
        return joined;
    }
}
