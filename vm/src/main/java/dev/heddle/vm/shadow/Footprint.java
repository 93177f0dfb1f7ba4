package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Space;
import dev.heddle.vm.shadow.AsyncOperation.Region;

import java.util.ArrayList;
import java.util.List;

/// The shared memory of its CTA that an asynchronous operation, or many with the same operands,
/// reads.
///
/// @param parts what each warp of a warpgroup reads, or all of them
/// @param bytes all of it
public record Footprint(List<Part> parts, ByteRanges bytes) {
    /// What one warp's part of an operation reads.
    ///
    /// @param warp of the warpgroup, or [#ALL]
    public record Part(int warp, ByteRanges bytes) {
        /// Every warp that takes part.
        public static final int ALL = -1;
    }

    /// What the whole of an operation reads; none where that is no shared memory.
    public static List<Footprint> of(List<Region> regions) {
        List<Region> shared = new ArrayList<>(regions);
        shared.removeIf(region -> region.space() != Space.SHARED || region.bytes() == 0);
        if (shared.isEmpty()) {
            return List.of();
        }
        ByteRanges bytes = ByteRanges.of(shared);
        return List.of(new Footprint(List.of(new Part(Part.ALL, bytes)), bytes));
    }
}
