package dev.heddle.conformance.kernels;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Which regions of shared memory an operation under way still reads or writes, and which mbarriers
/// count for one.
final class HopperRegions {
    private final RandomGenerator random;
    private final @Nullable Flight[] flights = new @Nullable Flight[HopperFrame.COUNTERS];

    // Regions that bulk groups of the first thread still read.
    private final List<Integer> leaving = new ArrayList<>();

    /// What an mbarrier counts.
    private record Flight(int target, int source, boolean remote) {}

    HopperRegions(RandomGenerator random) {
        this.random = random;
    }

    boolean isFree(int region) {
        for (Flight flight : flights) {
            if (flight != null && (flight.target == region || flight.source == region)) {
                return false;
            }
        }
        return !leaving.contains(region);
    }

    /// A region that nothing uses, or -1.
    int free() {
        int first = random.nextInt(HopperKernel.REGIONS);
        for (int i = 0; i < HopperKernel.REGIONS; i++) {
            int region = (first + i) % HopperKernel.REGIONS;
            if (isFree(region)) {
                return region;
            }
        }
        return -1;
    }

    boolean isIdle(int barrier) {
        return flights[barrier] == null;
    }

    /// An mbarrier that counts nothing, or -1.
    int idle() {
        int first = random.nextInt(flights.length);
        for (int i = 0; i < flights.length; i++) {
            int barrier = (first + i) % flights.length;
            if (isIdle(barrier)) {
                return barrier;
            }
        }
        return -1;
    }

    /// An operation begins.
    ///
    /// @param target the region that is written
    /// @param source the region that is read, or the same
    /// @param remote whether other blocks of the cluster take part
    void began(int barrier, int target, int source, boolean remote) {
        flights[barrier] = new Flight(target, source, remote);
    }

    boolean isRemote(int barrier) {
        Flight flight = flights[barrier];
        return flight != null && flight.remote;
    }

    void ended(int barrier) {
        flights[barrier] = null;
    }

    /// A bulk group reads a region.
    void leaves(int region) {
        leaving.add(region);
    }

    /// All bulk groups have read theirs.
    void left() {
        leaving.clear();
    }
}
