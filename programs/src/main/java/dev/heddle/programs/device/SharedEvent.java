package dev.heddle.programs.device;

import dev.heddle.programs.host.Host;
import dev.heddle.programs.host.SharedHandle;
import dev.heddle.programs.host.SharedPages;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/// What processes that share an event know of it: how often it was recorded, and up to which of
/// these times streams have come. It stays mapped: work that is under way may still reach it.
final class SharedEvent {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final long RECORDED = 0;
    private static final long REACHED = 8;

    /// The process that recorded it last.
    private static final long PROCESS = 16;

    private static final long POLL_NANOS = 50_000;

    private final SharedPages pages;
    private final MemorySegment words;

    private SharedEvent(SharedPages pages, Memory memory) {
        this.pages = pages;
        long address = memory.reserve(SharedPages.PAGE, SharedPages.PAGE);
        pages.map(address, 0, SharedPages.PAGE);
        words = Host.at(address, SharedPages.PAGE);
    }

    /// One that was never recorded.
    static SharedEvent create(Memory memory) {
        return new SharedEvent(SharedPages.create(SharedPages.PAGE), memory);
    }

    /// That of another process.
    static SharedEvent open(SharedHandle handle, Memory memory) {
        return new SharedEvent(SharedPages.open(handle.path()), memory);
    }

    SharedHandle handle() {
        return SharedHandle.of(pages);
    }

    /// It is recorded at a point in the work of this process.
    void record(CompletableFuture<Void> point) {
        WORD.setVolatile(words, PROCESS, ProcessHandle.current().pid());
        long time = (long) WORD.getAndAdd(words, RECORDED, 1L) + 1;
        CompletableFuture<Void> _ = point.thenRun(() -> reach(time));
    }

    private void reach(long time) {
        long before = (long) WORD.getVolatile(words, REACHED);
        while (before < time && !WORD.compareAndSet(words, REACHED, before, time)) {
            before = (long) WORD.getVolatile(words, REACHED);
        }
    }

    /// Done when streams have come where it was recorded last.
    CompletableFuture<Void> reached() {
        long time = (long) WORD.getVolatile(words, RECORDED);
        CompletableFuture<Void> reached = new CompletableFuture<>();
        if (isReached(time)) {
            reached.complete(null);
        } else {
            Thread.ofPlatform()
                    .daemon()
                    .name("heddle-event")
                    .start(
                            () -> {
                                while (!isReached(time) && isRecorderAlive()) {
                                    LockSupport.parkNanos(POLL_NANOS);
                                }
                                reached.complete(null);
                            });
        }
        return reached;
    }

    private boolean isReached(long time) {
        return (long) WORD.getVolatile(words, REACHED) >= time;
    }

    private boolean isRecorderAlive() {
        return ProcessHandle.of((long) WORD.getVolatile(words, PROCESS)).isPresent();
    }
}
