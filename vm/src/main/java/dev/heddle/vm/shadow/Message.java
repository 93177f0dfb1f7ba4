package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// What a strong write releases to those who observe it (PTX ISA 8.8). Immutable.
///
/// The first operation of the release pattern and the last of the acquire pattern must be in each
/// other's scopes (8.9.4): so each part says whose it is and how far it reaches.
record Message(List<Part> parts) {
    /// The parts of none.
    static final List<Part> NOTHING = List.of();

    /// With more, those for the whole device become one.
    private static final int MOST = 8;

    /// What threads of a CTA released.
    ///
    /// @param cta whose clock it is
    /// @param scope of what released it
    /// @param clock what is over
    /// @param folded whether it is of several CTAs: then it counts for whatever scope acquires it
    record Part(int cta, Scope scope, VectorClock clock, boolean folded) {
        /// The same with what another of the same kind says, too.
        @SuppressWarnings("ReferenceEquality") // saves work only
        private Part join(Part other) {
            VectorClock both = clock.join(other.clock.seen(other.cta, cta));
            return both == clock ? this : new Part(cta, scope, both, folded);
        }
    }

    static Message of(int cta, Scope scope, VectorClock clock) {
        // All of a launch is on one device.
        Scope reach = scope == Scope.SYS ? Scope.GPU : scope;
        return new Message(List.of(new Part(cta, reach, clock, false)));
    }

    /// That a CTA has started, and nothing that its threads did.
    ///
    /// @param order that of the CTA
    static Message started(HappensBefore order) {
        return of(order.cta(), Scope.CLUSTER, order.nothing());
    }

    /// What both release, of which there may be only one.
    static Message both(@Nullable Message one, Message other) {
        return one == null ? other : one.join(other);
    }

    /// What both release: this one where it says all that the other does.
    @SuppressWarnings("ReferenceEquality") // saves work only
    Message join(Message other) {
        if (this == other) {
            return this;
        }
        List<Part> all = parts;
        for (Part more : other.parts) {
            int same = indexOf(all, more);
            Part joined = same < 0 ? more : all.get(same).join(more);
            if (same >= 0 && joined == all.get(same)) {
                continue;
            }
            all = all == parts ? new ArrayList<>(parts) : all;
            if (same < 0) {
                all.add(joined);
            } else {
                all.set(same, joined);
            }
        }
        return all == parts ? this : new Message(all.size() > MOST ? fold(all) : all);
    }

    /// Whether one part more is still told apart from the others.
    boolean hasRoom() {
        return parts.size() < MOST;
    }

    private static int indexOf(List<Part> parts, Part part) {
        for (int i = 0; i < parts.size(); i++) {
            Part each = parts.get(i);
            if (each.scope == part.scope
                    && each.folded == part.folded
                    && (each.folded || each.cta == part.cta)) {
                return i;
            }
        }
        return -1;
    }

    private static List<Part> fold(List<Part> parts) {
        List<Part> rest = new ArrayList<>();
        Part whole = null;
        for (Part part : parts) {
            if (part.scope != Scope.GPU) {
                rest.add(part);
            } else if (whole == null) {
                whole = new Part(part.cta, Scope.GPU, part.clock, true);
            } else {
                VectorClock clock = whole.clock.join(part.clock.seen(part.cta, whole.cta));
                whole = new Part(whole.cta, Scope.GPU, clock, true);
            }
        }
        if (whole != null) {
            rest.add(whole);
        }
        return rest;
    }
}
