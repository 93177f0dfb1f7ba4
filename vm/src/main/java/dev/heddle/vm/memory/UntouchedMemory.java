package dev.heddle.vm.memory;

import dev.heddle.tensorcore.x86.MappedMemory;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Memory that reads as zero, of which the system gives only the pages that are touched: as much as
/// there are addresses for.
public final class UntouchedMemory {
    private static final boolean AVAILABLE =
            System.getProperty("os.name").equals("Linux")
                    && MappedMemory.class.getModule().isNativeAccessEnabled();

    /// To clear so few bytes takes less time than to ask the system for pages.
    private static final long FEW = 32 << 20;

    private static final long ALIGNMENT = 64;

    private UntouchedMemory() {}

    /// So many bytes, until the arena is closed; null where the system has no such memory.
    public static @Nullable MemorySegment take(long bytes, Arena arena) {
        if (bytes > FEW) {
            return map(bytes, arena);
        }
        SpareMemory.Taken taken = SpareMemory.take(bytes, ALIGNMENT, arena);
        if (!taken.isClear()) {
            taken.bytes().fill((byte) 0);
        }
        return taken.bytes();
    }

    /// The same, but it may hold anything.
    public static @Nullable MemorySegment takeAny(long bytes, Arena arena) {
        return bytes > FEW ? map(bytes, arena) : SpareMemory.take(bytes, ALIGNMENT, arena).bytes();
    }

    /// The same, fresh from the system.
    static @Nullable MemorySegment map(long bytes, Arena arena) {
        return AVAILABLE ? MappedMemory.map(bytes, false, arena) : null;
    }
}
