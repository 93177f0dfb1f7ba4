package dev.heddle.vm.memory;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;

/// Host memory of launches that are over, for those to come: the system gives new memory page by
/// page, which takes longer than a short kernel.
///
/// Whoever takes memory loses it with its arena: what is left of it elsewhere can no longer be
/// accessed.
final class SpareMemory {
    /// So much is kept at most: the bytes of one launch, their marks, and the stamps of accesses,
    /// of sectors and of words.
    private static final int KEPT = 4;

    /// Less is not worth keeping, and would only take the place of more.
    private static final long LEAST = 1 << 16;

    /// Only memory that fits is taken again: not more than so many times what is wanted.
    private static final int WASTE = 4;

    private static final Deque<SoftReference<MemorySegment>> SPARE = new ArrayDeque<>();

    private SpareMemory() {}

    /// Memory for a launch.
    ///
    /// @param isClear whether it holds zeros; else what an earlier launch left
    record Taken(MemorySegment bytes, boolean isClear) {}

    /// Takes memory until the arena is closed.
    @SuppressWarnings("restricted")
    static Taken take(long bytes, long alignment, Arena arena) {
        if (bytes < LEAST || !SpareMemory.class.getModule().isNativeAccessEnabled()) {
            return new Taken(arena.allocate(bytes, alignment), true);
        }
        MemorySegment spare = find(bytes);
        MemorySegment whole = spare == null ? fresh(bytes, alignment) : spare;
        MemorySegment taken =
                MemorySegment.ofAddress(whole.address())
                        .reinterpret(bytes, arena, _ -> giveBack(whole));
        return new Taken(taken, spare == null);
    }

    private static MemorySegment fresh(long bytes, long alignment) {
        MemorySegment untouched = UntouchedMemory.map(bytes, Arena.ofAuto());
        return untouched == null ? Arena.ofAuto().allocate(bytes, alignment) : untouched;
    }

    /// The smallest that fits.
    private static synchronized @Nullable MemorySegment find(long bytes) {
        MemorySegment best = null;
        for (SoftReference<MemorySegment> reference : SPARE) {
            MemorySegment spare = reference.get();
            if (spare != null
                    && spare.byteSize() >= bytes
                    && spare.byteSize() / WASTE <= bytes
                    && (best == null || spare.byteSize() < best.byteSize())) {
                best = spare;
            }
        }
        MemorySegment found = best;
        SPARE.removeIf(reference -> reference.refersTo(found));
        return found;
    }

    private static synchronized void giveBack(MemorySegment whole) {
        SPARE.removeIf(reference -> reference.refersTo(null));
        if (SPARE.size() == KEPT) {
            SPARE.removeFirst();
        }
        SPARE.addLast(new SoftReference<>(whole));
    }
}
