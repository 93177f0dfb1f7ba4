package dev.heddle.programs.device;

import dev.heddle.programs.device.Memory.Allocation;

import java.util.HashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.TreeMap;

/// What the program said about ranges of managed memory. Hints change nothing here, and are told
/// again: of a range, what was said of all its pages.
public final class MemoryHints {
    private static final long PAGE = 4096;

    /// What is said of a page.
    public enum Kind {
        /// It is mostly read.
        READ_MOSTLY,
        /// Where it is best.
        PREFERRED,
        /// Where it was last brought.
        PREFETCHED,
        /// Devices use it.
        USED_BY_DEVICE,
        /// The host uses it.
        USED_BY_HOST
    }

    /// Where memory is, as a `cudaMemLocation` says it; nowhere where nothing was said.
    public record Location(int type, int number) {
        /// `cudaInvalidDeviceId`.
        public static final int NO_DEVICE = -2;

        /// `cudaCpuDeviceId`.
        public static final int HOST_DEVICE = -1;

        /// `cudaMemLocationTypeDevice`.
        public static final int ON_DEVICE = 1;

        /// `cudaMemLocationTypeHost`; behind it, two kinds of nodes of the host's.
        public static final int ON_HOST = 2;

        private static final int LAST_OF_HOST = 4;

        /// No place.
        public static final Location NONE = new Location(0, NO_DEVICE);

        /// Whether it is the device.
        public boolean isDevice() {
            return type == ON_DEVICE;
        }

        /// Whether it is the host.
        public boolean isHost() {
            return type >= ON_HOST && type <= LAST_OF_HOST;
        }

        /// The number by which programs are told of it.
        public int device() {
            return isHost() ? HOST_DEVICE : number;
        }
    }

    /// Of one allocation: by kind, its pages from which something else is said than before them.
    private record Said(Allocation allocation, Map<Kind, NavigableMap<Long, Location>> pages) {}

    private final Map<Long, Said> said = new HashMap<>();

    private NavigableMap<Long, Location> pages(Allocation allocation, Kind kind) {
        return said.compute(
                        allocation.buffer().address(),
                        (_, known) ->
                                known == null || !known.allocation.equals(allocation)
                                        ? new Said(allocation, new HashMap<>())
                                        : known)
                .pages
                .computeIfAbsent(kind, _ -> new TreeMap<>(Map.of(Long.MIN_VALUE, Location.NONE)));
    }

    /// Something is said of a range.
    public synchronized void say(
            Allocation allocation, Kind kind, long address, long bytes, Location location) {
        NavigableMap<Long, Location> pages = pages(allocation, kind);
        long from = address - allocation.buffer().address();
        long first = from / PAGE;
        long end = (from + bytes + PAGE - 1) / PAGE;
        Location behind = pages.floorEntry(end).getValue();
        pages.subMap(first, end).clear();
        pages.put(first, location);
        pages.put(end, behind);
    }

    /// What is said of all pages of a range, or nowhere.
    public synchronized Location of(Allocation allocation, Kind kind, long address, long bytes) {
        NavigableMap<Long, Location> pages = pages(allocation, kind);
        long from = address - allocation.buffer().address();
        long end = (from + bytes + PAGE - 1) / PAGE;
        Entry<Long, Location> first = pages.floorEntry(from / PAGE);
        boolean alike =
                pages.subMap(first.getKey(), end).values().stream()
                        .allMatch(first.getValue()::equals);
        return alike ? first.getValue() : Location.NONE;
    }
}
