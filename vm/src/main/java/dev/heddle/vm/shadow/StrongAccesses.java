package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// What the threads of a CTA hand over by strong operations and fences: release and acquire
/// patterns (PTX ISA 8.8), in shared memory and in global memory alike.
public final class StrongAccesses {
    private final HappensBefore order;
    private final Locations shared = new Locations();
    private Locations global;

    private final FenceHandover fences;
    private final PhaseHandover phases;
    private final RelaxedBarriers relaxed;
    private final LastJoin<Message> joins = new LastJoin<>(Message::join);

    // By thread: its last strong read. Threads that spin read the same again and again.
    private final @Nullable Read[] last;

    /// A strong read, and the message that it observed.
    private record Read(
            Location location, @Nullable Message message, MemoryOrder kind, Scope scope) {
        @SuppressWarnings("ReferenceEquality") // saves work only
        boolean is(Location place, @Nullable Message observed, MemoryOrder order, Scope by) {
            return location == place && message == observed && kind == order && scope == by;
        }
    }

    /// What is noted of one element of a strong access: a read, a write, or a part of an update.
    public interface Element {
        void note(
                StrongAccesses strong,
                Locations in,
                long address,
                int bytes,
                int thread,
                MemoryOrder order,
                Scope scope);
    }

    /// Notes a thread's strong access to shared memory. The model orders each element of a vector
    /// by itself (PTX ISA 8.2.4).
    public void each(Access access, int at, int end, int thread, Element element) {
        for (int i = at; i < end; i += access.bytes()) {
            element.note(this, shared, i, access.bytes(), thread, access.order(), access.scope());
        }
    }

    StrongAccesses(HappensBefore order, int threads, GridOrder grid) {
        this.order = order;
        global = grid.locations();
        last = new Read[threads];
        fences = new FenceHandover(order, this, threads, grid.sequential());
        phases = new PhaseHandover(order, this);
        relaxed = new RelaxedBarriers(threads);
    }

    /// Becomes that of another launch: what all its CTAs share is its own.
    void serve(GridOrder grid) {
        if (grid.isFollowed()) {
            global = grid.locations();
            fences.serve(grid.sequential());
        }
    }

    /// Forgets everything, but for what all CTAs share.
    void clear(boolean isShared) {
        shared.clear();
        if (!isShared) {
            global.clear();
        }
        fences.clear(isShared);
        relaxed.clear();
        Arrays.fill(last, null);
    }

    /// The places of the CTA's shared memory.
    public Locations shared() {
        return shared;
    }

    /// What its fences hand over.
    public FenceHandover fences() {
        return fences;
    }

    /// What its mbarriers hand over.
    public PhaseHandover phases() {
        return phases;
    }

    /// Its barriers that order nothing.
    public RelaxedBarriers relaxed() {
        return relaxed;
    }

    /// Those of global memory.
    public Locations global() {
        return global;
    }

    /// A thread acquires a message.
    void learn(int thread, @Nullable Message message, Scope scope) {
        for (Message.Part part : message == null ? Message.NOTHING : message.parts()) {
            if (isWithin(part, scope)) {
                order.learn(thread, part.clock().seen(part.cta(), order.cta()));
            }
        }
    }

    private boolean isWithin(Message.Part part, Scope scope) {
        return part.folded()
                || order.reach().isWithin(part.cta(), order.cta(), part.scope())
                        && order.reach().isWithin(part.cta(), order.cta(), scope);
    }

    /// What a thread of this CTA learns that acquires a message.
    VectorClock within(Message message, Scope scope) {
        VectorClock all = order.nothing();
        for (Message.Part part : message.parts()) {
            if (isWithin(part, scope)) {
                all = all.join(part.clock().seen(part.cta(), order.cta()));
            }
        }
        return all;
    }

    /// What is over for all of this CTA's cluster that acquire a message for it; null where some
    /// acquire more of it than others.
    @Nullable GridClock withinCluster(Message message) {
        GridClock all = GridClock.NONE;
        for (Message.Part part : message.parts()) {
            if (part.scope() == Scope.CTA && !part.folded()) {
                return null;
            }
            if (isWithin(part, Scope.CLUSTER)) {
                all = all.join(part.clock().everywhere(part.cta()));
            }
        }
        return all;
    }

    /// A strong read, before it is looked at.
    ///
    /// @param in where the place is
    public void read(
            Locations in, long address, int bytes, int thread, MemoryOrder kind, Scope scope) {
        Location location = in.at(address, bytes);
        location.read(order.actor(thread), scope, order.clockOf(thread), order.known(thread));
        acquire(location, thread, kind, scope);
    }

    private void acquire(Location location, int thread, MemoryOrder kind, Scope scope) {
        int actor = order.actor(thread);
        order.grid().starts().observed(location, order.cta());
        Message there = location.message();
        if (there == null && location.seenBy(actor) == null) {
            return;
        }
        Message message =
                there != null && location.isWithin(actor, scope, order.reach()) ? there : null;
        Read before = last[thread];
        if (before != null && before.is(location, message, kind, scope)) {
            return;
        }
        last[thread] = new Read(location, message, kind, scope);
        if (kind.acquires()) {
            learn(thread, location.seenBy(actor), scope);
        }
        if (message == null) {
            return;
        }
        if (kind.acquires()) {
            learn(thread, message, scope);
        }
        // An operation or a fence of a larger scope may still acquire more of it.
        location.sees(actor, message);
        observe(thread, message);
    }

    void observe(int thread, Message message) {
        fences.observed(thread, message);
    }

    /// The read of a strong operation that reads and writes, before it is looked at.
    ///
    /// @param acquires whether it may be one that acquires: that of `red` is none
    public void readToUpdate(
            Locations in,
            long address,
            int bytes,
            int thread,
            MemoryOrder kind,
            Scope scope,
            boolean acquires) {
        Location location = in.at(address, bytes);
        if (order.grid().isNarrow()) {
            // What it reads may come after a write that it is not morally strong with.
            location.read(order.actor(thread), scope, order.clockOf(thread), order.known(thread));
        }
        if (acquires) {
            acquire(location, thread, kind, scope);
        }
    }

    /// Its write, after it was looked at: it passes on what it read.
    public void update(
            Locations in, long address, int bytes, int thread, MemoryOrder kind, Scope scope) {
        Location location = in.at(address, bytes);
        int actor = order.actor(thread);
        location.update(actor, scope, order.clockOf(thread), order.known(thread));
        passOn(location, actor, scope, release(location, thread, kind, scope));
        in.overwriteOthers(address, bytes);
    }

    private void passOn(Location location, int actor, Scope scope, @Nullable Message own) {
        Message before = location.message();
        Message passed =
                before != null && location.isWithin(actor, scope, order.reach()) ? before : null;
        Message both = own == null ? passed : passed == null ? own : joins.of(passed, own);
        location.write(both, actor, scope);
    }

    /// Elements of an asynchronous reduction, one behind the other: relaxed, and behind what lanes
    /// of a warp did that began it.
    ///
    /// @param at the first, of so many bytes each
    /// @param aside the thread that stands for it
    public void reduce(
            Locations in,
            long at,
            int bytes,
            long end,
            int warp,
            int lanes,
            int aside,
            Scope scope) {
        Past past = order.past(warp, lanes);
        Reduction made =
                new Reduction(warp, lanes, past, fences.released(warp, lanes), aside, scope);
        Location all = in.ofAll(at, end, bytes);
        if (all != null) {
            reduce(all, made);
            return;
        }
        for (long address = at; address < end; address += bytes) {
            reduce(in.at(address, bytes), made);
            in.overwriteOthers(address, bytes);
        }
    }

    /// A reduction that lanes of a warp have begun.
    ///
    /// @param fenced what their fences have released
    /// @param aside the thread that stands for it
    private record Reduction(
            int warp, int lanes, Past past, @Nullable Message fenced, int aside, Scope scope) {}

    private void reduce(Location location, Reduction made) {
        int actor = order.actor(made.aside);
        int clock = order.clockOf(made.aside);
        if (order.grid().isNarrow()) {
            location.read(actor, made.scope, clock, made.past);
        }
        location.update(actor, made.scope, clock, made.past);
        Message own = location.releasedBy(order.actor(32 * made.warp), made.lanes, made.fenced);
        passOn(location, actor, made.scope, own);
    }

    /// Their reads, before they are looked at.
    public void readAside(
            Locations in, long at, int bytes, long end, int thread, int aside, Scope scope) {
        Past past = order.past(thread / 32, 1 << thread % 32);
        for (long address = at; order.grid().isNarrow() && address < end; address += bytes) {
            in.at(address, bytes).read(order.actor(aside), scope, order.clockOf(aside), past);
        }
    }

    /// A strong write, after it was looked at.
    public void write(
            Locations in, long address, int bytes, int thread, MemoryOrder kind, Scope scope) {
        Location location = in.at(address, bytes);
        int actor = order.actor(thread);
        location.start(actor, scope, order.clockOf(thread), order.known(thread));
        location.write(release(location, thread, kind, scope), actor, scope);
        in.overwriteOthers(address, bytes);
    }

    /// What a strong write of a thread carries: what this operation, one of its earlier ones
    /// here, or its fences release.
    @Nullable Message release(Location location, int thread, MemoryOrder kind, Scope scope) {
        int actor = order.actor(thread);
        Message own = fences.released(thread, location.releasedBy(actor));
        if (kind.releases()) {
            own = Message.both(own, Message.of(order.cta(), scope, order.released(thread)));
            location.releases(actor, own);
            order.tick(thread / 32);
        }
        return own;
    }

    /// Whether a strong access was observed by something that is over for a thread (PTX ISA 8.9.5).
    boolean isObserved(Locations in, long address, int bytes, Location.Strong access, int thread) {
        return isObserved(
                in,
                address,
                bytes,
                access,
                (actor, when) ->
                        order.isOver(Location.cta(actor), Location.thread(actor), when, thread));
    }

    /// The same for what tells itself what is over for it.
    boolean isObserved(
            Locations in, long address, int bytes, Location.Strong access, Location.Order over) {
        Location location = in.find(address, bytes);
        return location != null && location.isObserved(access, over, order.reach());
    }
}
