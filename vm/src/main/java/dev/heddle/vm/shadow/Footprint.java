package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Space;
import dev.heddle.vm.shadow.AsyncOperation.Region;

import java.util.List;

/// The shared memory that an asynchronous operation, or many with the same operands, reads.
///
/// @param regions of it, those of one warp's part of the operation one behind the other
/// @param bytes all of it
public record Footprint(List<Region> regions, ByteRanges bytes) {
    /// That of an operation which reads these regions; none where no shared memory is among them.
    public static List<Footprint> of(List<Region> regions) {
        List<Region> shared =
                regions.stream()
                        .filter(region -> region.space() == Space.SHARED && region.bytes() > 0)
                        .toList();
        return shared.isEmpty() ? List.of() : List.of(new Footprint(shared, ByteRanges.of(shared)));
    }
}
