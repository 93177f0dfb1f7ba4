package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.state.Cta;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.ValueLayout;

/// What the last `st.async` or `red.async` of each lane of a warp does in shared memory. They write
/// beside their thread: they are looked at where an mbarrier counts their bytes.
final class AsideStores {
    private final long[] places = new long[32];
    private final int[] ranks = new int[32];
    private int same;

    static boolean goAside(Site site, Space space) {
        return (space == Space.SHARED || space == Space.CLUSTER) && AsideLanes.areOf(site);
    }

    /// Lanes are about to store, or to reduce.
    ///
    /// @param owner the CTA that has the memory
    /// @param stored what is stored, or null in a reduction
    void begin(
            Cta owner,
            Access access,
            long[] offsets,
            int bytes,
            int lanes,
            @Nullable Stored stored) {
        System.arraycopy(offsets, 0, places, 0, places.length);
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            ranks[Integer.numberOfTrailingZeros(rest)] = owner.rank();
        }
        same = 0;
        if (stored != null) {
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                int first = firstAt(lane, lanes);
                boolean isSame = true;
                for (int i = 0; i < bytes && isSame; i++) {
                    byte before =
                            first < lane
                                    ? stored.at(first, i, access.bytes())
                                    : owner.shared().get(ValueLayout.JAVA_BYTE, offsets[lane] + i);
                    isSame = before == stored.at(lane, i, access.bytes());
                }
                same |= isSame ? 1 << lane : 0;
            }
        }
    }

    /// The first lane that stores to the same place.
    private int firstAt(int lane, int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int other = Integer.numberOfTrailingZeros(rest);
            if (places[other] == places[lane]) {
                return other;
            }
        }
        return lane;
    }

    /// The first of some lanes whose bytes do not go to the CTA of a rank; 32 where there is none.
    int elsewhere(int rank, int lanes) {
        int rest = lanes;
        while (rest != 0 && ranks[Integer.numberOfTrailingZeros(rest)] == rank) {
            rest &= rest - 1;
        }
        return Integer.numberOfTrailingZeros(rest);
    }

    /// Where a lane's bytes go.
    long at(int lane) {
        return places[lane];
    }

    /// Those of some lanes whose bytes go where those of one of them go.
    int together(int lane, int lanes) {
        int same = 0;
        for (int other = lane; other < 32; other++) {
            same |= places[other] == places[lane] ? 1 << other : 0;
        }
        return same & lanes;
    }

    /// Whether a lane stores what is there already, or what a lane before it stores there.
    boolean isSame(int lane) {
        return (same >>> lane & 1) != 0;
    }
}
