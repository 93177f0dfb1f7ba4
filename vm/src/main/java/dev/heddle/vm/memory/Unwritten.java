package dev.heddle.vm.memory;

import org.jspecify.annotations.Nullable;

/// Bytes of a piece of memory that nobody wrote.
///
/// @param first where the first of them is
/// @param count how many
public record Unwritten(long first, long count) {
    /// These and those of a later piece.
    public static @Nullable Unwritten of(@Nullable Unwritten one, @Nullable Unwritten later) {
        return one == null || later == null
                ? one == null ? later : one
                : new Unwritten(one.first, one.count + later.count);
    }
}
