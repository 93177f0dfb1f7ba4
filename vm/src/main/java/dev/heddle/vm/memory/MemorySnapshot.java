package dev.heddle.vm.memory;

import dev.heddle.vm.ir.Addresses;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What global memory holds at a moment, to go back to. Nothing is copied then: of each buffer, one
/// part is kept, which grows as launches are about to write outside of it.
///
/// Who writes asks for the part first ([GlobalMemory#toWrite]), and knows it from then on.
public final class MemorySnapshot implements AutoCloseable {
    /// Parts begin and end at multiples of it.
    private static final long LEAST = 4096;

    /// To have memory of its own from the system pays for so many bytes.
    private static final long LARGE = 1 << 20;

    private final GlobalMemory memory;
    private final Set<Buffer> heap;
    private final Cost cost;
    private final Map<Buffer, Part> parts = new HashMap<>();
    private @Nullable Arena arena;
    private Touched touched = Touched.ALL;
    private long bytes;
    private boolean isWanted;
    private boolean isLost;
    private boolean isRestored;

    /// @param heap what kernels have taken by `malloc`
    MemorySnapshot(GlobalMemory memory, Set<Buffer> heap, Cost cost) {
        this.memory = memory;
        this.heap = heap;
        this.cost = cost;
        isLost = cost.equals(Cost.NONE);
    }

    /// How many bytes may be copied; a mark is copied with each.
    ///
    /// @param most as long as nobody goes back
    /// @param wanted once somebody is going to
    public record Cost(long most, long wanted) {
        /// There is no way back.
        public static final Cost NONE = new Cost(0, 0);

        /// The same for both.
        public static Cost upTo(long most) {
            return new Cost(most, most);
        }
    }

    /// What a range held.
    ///
    /// @param from offset of the first byte in global memory
    /// @param marks which of them were written; of none where the memory is not tracked
    private record Copy(long from, MemorySegment bytes, MemorySegment marks) {}

    /// What is kept of a buffer.
    private static final class Part {
        private Buffer kept;
        private final List<Copy> copies = new ArrayList<>();

        Part(Buffer none) {
            kept = none;
        }
    }

    /// Some bytes of a buffer are about to be written. Returns what of the buffer may be written
    /// from now on.
    synchronized Buffer keep(Buffer buffer, long address, long count) {
        if (isLost) {
            return buffer;
        }
        Part part =
                parts.computeIfAbsent(buffer, of -> new Part(new Buffer(of.name(), address, 0)));
        Buffer old = part.kept;
        long behind = Math.min(address + count, buffer.end());
        if (old.address() <= address && behind <= old.end() && old.bytes() != 0) {
            return old;
        }
        Buffer larger = grown(buffer, old, address, behind);
        bytes += larger.bytes() - old.bytes();
        if (bytes > (isWanted ? cost.wanted : cost.most)) {
            lose();
            return buffer;
        }
        copy(part, larger.address(), old.address());
        copy(part, old.end(), larger.end());
        part.kept = larger;
        return larger;
    }

    /// A part at least twice as large to each side where it grows, so that it grows few times.
    private static Buffer grown(Buffer buffer, Buffer old, long from, long to) {
        long low = old.address();
        long high = old.end();
        if (from < low || old.bytes() == 0) {
            long start = buffer.address();
            long wanted = start + (from - start) / LEAST * LEAST;
            low = Math.max(start, Math.min(wanted, low - old.bytes()));
        }
        if (to > high) {
            long wanted = buffer.address() + (to - buffer.address() + LEAST - 1) / LEAST * LEAST;
            high = Math.min(buffer.end(), Math.max(wanted, high + old.bytes()));
        }
        return new Buffer(buffer.name(), low, high - low);
    }

    private void copy(Part part, long from, long to) {
        if (from < to) {
            long at = from - Addresses.GLOBAL;
            MemorySegment marks = memory.isTracked() ? memory.written() : MemorySegment.NULL;
            part.copies.add(
                    new Copy(
                            at,
                            copy(memory.segment(), at, to - from),
                            memory.isTracked() ? copy(marks, at, to - from) : marks));
        }
    }

    private MemorySegment copy(MemorySegment all, long at, long count) {
        MemorySegment part = all.asSlice(at, count);
        return count < LARGE
                ? MemorySegment.ofArray(part.toArray(ValueLayout.JAVA_BYTE))
                : fresh(count).copyFrom(part);
    }

    private MemorySegment fresh(long count) {
        if (arena == null) {
            arena = Arena.ofShared();
        }
        MemorySegment mapped = UntouchedMemory.map(count, arena);
        return mapped == null ? arena.allocate(count) : mapped;
    }

    private void lose() {
        isLost = true;
        parts.clear();
        free();
    }

    private void free() {
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }

    /// Somebody is going to go back to it. Returns whether that is possible.
    public synchronized boolean want() {
        isWanted = !isLost;
        return isWanted;
    }

    /// Whether there is no way back: there was more to copy than allowed.
    public synchronized boolean isLost() {
        return isLost;
    }

    /// What a snapshot may cost from which the launch is to begin a third time.
    public Cost costAgain() {
        return Cost.upTo(cost.wanted);
    }

    /// What is kept, in parts of buffers.
    public synchronized List<Buffer> parts() {
        return parts.values().stream().map(part -> part.kept).toList();
    }

    /// Only what a launch has touched is to go back: the host may have written the rest since then.
    public synchronized void limit(Touched places) {
        touched = places;
    }

    /// What was kept of live buffers, and touched, holds what it held. That is done once: what was
    /// kept is of no more use.
    synchronized void putBack(WrittenBlocks blocks) {
        isRestored = true;
        parts.forEach(
                (buffer, part) -> {
                    if (buffer.equals(memory.at(buffer.address()))) {
                        part.copies.forEach(copy -> putBack(copy, blocks));
                    }
                });
        lose();
    }

    private void putBack(Copy copy, WrittenBlocks blocks) {
        touched.within(
                copy.from,
                copy.from + copy.bytes.byteSize(),
                (from, to) -> {
                    long at = from - copy.from;
                    long count = to - from;
                    memory.segment().asSlice(from, count).copyFrom(copy.bytes.asSlice(at, count));
                    if (memory.isTracked()) {
                        blocks.restore(from, copy.marks.asSlice(at, count));
                    }
                });
    }

    /// What kernels had taken by `malloc`.
    Set<Buffer> heap() {
        return heap;
    }

    /// Whether memory went back to it.
    public synchronized boolean isRestored() {
        return isRestored;
    }

    /// From here on, nothing is kept.
    @Override
    public void close() {
        memory.forget(this);
        synchronized (this) {
            lose();
        }
    }
}
