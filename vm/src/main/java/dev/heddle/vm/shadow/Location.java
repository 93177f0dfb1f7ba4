package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// The strong operations on one place, in the order in which they were made.
///
/// Its message is what the last write releases to who reads it; an atomic operation passes on what
/// it read (PTX ISA 8.9.2).
final class Location {
    /// Operations kept; of a place with more, every write counts as observed.
    private static final int MOST = 1 << 13;

    private static final Scope[] SCOPES = Scope.values();

    private static final int NOBODY = -1;

    private static final int READ = 0;
    private static final int START = 1;
    private static final int UPDATE = 2;

    private @Nullable Message message;

    // Of an mbarrier object: who has arrived since somebody asked for the message, and the last
    // phase that is over.
    private @Nullable Arrivals arrivals;
    private @Nullable Phase phase;

    private @Nullable Map<Integer, Message> released;
    private @Nullable Map<Integer, Message> seen;

    // Whose the last write was, and its scope.
    private int writer = NOBODY;
    private Scope reach = Scope.SYS;

    // Whether threads of several CTAs have written here.
    private boolean isOfSeveral;

    // Actor in the upper half; clock, scope and kind in the lower. Many places have one or two.
    private long[] operations = new long[2];

    // What the thread of the first knew then; and by operation, once another knew something else:
    // threads that have met at a barrier know the same.
    private @Nullable Past firstKnew;
    private @Nullable Past @Nullable [] knew;
    private int count;
    private boolean isFull;

    /// Strong accesses of a thread that have one stamp.
    ///
    /// @param read whether they read
    /// @param actor whose they are
    /// @param scope theirs, with that of the device for the system's too; null for any
    record Strong(boolean read, int actor, int clock, @Nullable Scope scope) {}

    /// Tells what is over for a thread.
    interface Order {
        boolean isOver(int actor, int clock);
    }

    /// The number of a thread among those of the grid.
    static int actor(int cta, int thread) {
        return cta << Stamp.THREAD_BITS | thread;
    }

    static int cta(int actor) {
        return actor >>> Stamp.THREAD_BITS;
    }

    static int thread(int actor) {
        return actor & (1 << Stamp.THREAD_BITS) - 1;
    }

    /// One of which the same is known: it is no mbarrier object.
    Location copy() {
        Location copy = new Location();
        copy.message = message;
        copy.released = released == null ? null : new HashMap<>(released);
        copy.seen = seen == null ? null : new HashMap<>(seen);
        copy.writer = writer;
        copy.reach = reach;
        copy.operations = operations.clone();
        copy.firstKnew = firstKnew;
        copy.knew = knew == null ? null : knew.clone();
        copy.count = count;
        copy.isFull = isFull;
        return copy;
    }

    /// What who reads it now observes; null where nothing was released.
    @Nullable Message message() {
        if (arrivals != null) {
            message = arrivals.joined(message);
        }
        return message;
    }

    /// Whether the last write and an operation are in each other's scopes.
    boolean isWithin(int actor, Scope scope, Reach all) {
        return all.isWithin(cta(writer), cta(actor), reach)
                && all.isWithin(cta(writer), cta(actor), scope);
    }

    /// Whether a thread of another CTA than this has ever written here.
    boolean isOfOthers(int cta) {
        return isOfSeveral || writer != NOBODY && cta(writer) != cta;
    }

    /// What the thread's own earlier operations here released.
    @Nullable Message releasedBy(int actor) {
        return released == null ? null : released.get(actor);
    }

    /// The same of lanes of a warp, and something more.
    ///
    /// @param first the actor of its first lane
    @Nullable Message releasedBy(int first, int lanes, @Nullable Message more) {
        Message all = more;
        for (int rest = released == null ? 0 : lanes; rest != 0; rest &= rest - 1) {
            Message own = releasedBy(first + Integer.numberOfTrailingZeros(rest));
            all = own == null ? all : Message.both(all, own);
        }
        return all;
    }

    void releases(int actor, Message what) {
        if (released == null) {
            released = new HashMap<>();
        }
        released.put(actor, what);
    }

    /// What the thread's earlier reads here observed without acquiring it.
    @Nullable Message seenBy(int actor) {
        return seen == null ? null : seen.get(actor);
    }

    void sees(int actor, Message what) {
        if (seen == null) {
            seen = new HashMap<>();
        }
        seen.merge(actor, what, Message::join);
    }

    /// A weak write: who reads it learns nothing.
    void overwrite() {
        message = null;
        arrivals = null;
    }

    /// A strong write.
    void write(@Nullable Message releases, int actor, Scope scope) {
        message = releases;
        isOfSeveral |= writer != NOBODY && cta(writer) != cta(actor);
        arrivals = null;
        writer = actor;
        reach = scope;
    }

    /// An arrival at the mbarrier object that is here, of a thread that releases what it knows only
    /// by its fences, and by what it did here before.
    void arrive(Message releases) {
        message = Message.both(message(), releases);
    }

    /// Those of threads that release all they know and did.
    Arrivals arrivals() {
        if (arrivals == null) {
            arrivals = new Arrivals();
        }
        return arrivals;
    }

    /// The last arrival ends the phase.
    void complete() {
        Message released = message();
        phase = released == null ? null : new Phase(released);
    }

    /// The last phase that is over; null where nothing was released by its end.
    @Nullable Phase phase() {
        return phase;
    }

    // Who observed what.

    void read(int actor, Scope scope, int clock, Past known) {
        long operation = operation(actor, scope, clock, READ);
        for (int i = count - 1; i >= 0 && kind(i) == READ; i--) {
            if (operations[i] == operation) {
                return;
            }
        }
        add(operation, known);
    }

    /// A write that observes nothing.
    void start(int actor, Scope scope, int clock, Past known) {
        add(operation(actor, scope, clock, START), known);
    }

    void update(int actor, Scope scope, int clock, Past known) {
        add(operation(actor, scope, clock, UPDATE), known);
    }

    private static long operation(int actor, Scope scope, int clock, int kind) {
        int reach = onDevice(scope).ordinal();
        return (long) actor << 32 | (long) clock << 4 | reach << 2 | kind;
    }

    /// All of a launch is on one device.
    static Scope onDevice(Scope scope) {
        return scope == Scope.SYS ? Scope.GPU : scope;
    }

    private void add(long operation, Past known) {
        if (count == MOST) {
            isFull = true;
            return;
        }
        if (count == operations.length) {
            operations = Arrays.copyOf(operations, Math.max(8, 2 * count));
        }
        keep(known);
        operations[count++] = operation;
    }

    @SuppressWarnings("ReferenceEquality") // saves room only
    private void keep(Past known) {
        if (count == 0) {
            firstKnew = known;
        } else if (knew != null || known != firstKnew) {
            @Nullable Past[] all = knew == null ? new Past[operations.length] : knew;
            if (knew == null) {
                Arrays.fill(all, 0, count, firstKnew);
            }
            knew = all.length < operations.length ? Arrays.copyOf(all, operations.length) : all;
            knew[count] = known;
        }
    }

    private Past knew(int i) {
        return Objects.requireNonNull(knew == null ? firstKnew : knew[i]);
    }

    /// Whether something that is over for a thread has observed a write, or a later one that the
    /// access happened before: operations on one place are in one order (PTX ISA 8.10.1, 8.10.5).
    ///
    /// @param access the last of its kind at its clock
    boolean isObserved(Strong access, Order order, Reach all) {
        if (isFull) {
            return true;
        }
        int start = last(access);
        boolean isCarried = false;
        int written = 0;
        for (int i = 0; start >= 0 && i < count; i++) {
            int kind = kind(i);
            boolean isPassed = isCarried && kind != START && areWithin(written, i, all);
            if (isPassed && order.isOver(actor(i), clock(i))) {
                return true;
            }
            if (kind != READ) {
                isCarried = isBehind(i, start) || isPassed;
                written = i;
            }
        }
        return false;
    }

    private boolean areWithin(int one, int other, Reach all) {
        int a = cta(actor(one));
        int b = cta(actor(other));
        return all.isWithin(a, b, scope(one)) && all.isWithin(a, b, scope(other));
    }

    private Scope scope(int i) {
        return SCOPES[(int) operations[i] >>> 2 & 3];
    }

    /// Whether an operation is another, or that happened before it.
    private boolean isBehind(int i, int other) {
        int by = actor(other);
        return actor(i) == by
                ? i >= other
                : knew(i).of(cta(actor(i)), cta(by), thread(by)) >= clock(other);
    }

    private int kind(int i) {
        return (int) operations[i] & 3;
    }

    private int clock(int i) {
        return (int) operations[i] >>> 4;
    }

    private int actor(int i) {
        return (int) (operations[i] >>> 32);
    }

    private int last(Strong access) {
        for (int i = count - 1; i >= 0; i--) {
            if (actor(i) == access.actor
                    && clock(i) == access.clock
                    && (kind(i) == READ) == access.read
                    && (access.scope == null || scope(i) == access.scope)) {
                return i;
            }
        }
        return -1;
    }
}
