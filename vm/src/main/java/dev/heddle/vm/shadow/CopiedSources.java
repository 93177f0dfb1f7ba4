package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Until when copies of `cp.async` of a CTA read their sources in global memory: until their thread
/// has waited for them, or the phase is over that they were handed to. To write there before is
/// undefined (PTX ISA 9.7.9.25.1).
///
/// What copies read is stamped with the clock at which they began. A warp's clock ticks where a
/// part of its copies ends ([Parts]): those that a lane began at one clock are of one part, and
/// over at once.
public final class CopiedSources {
    private final HappensBefore order;
    private final int cta;

    // By warp; null where it has begun no copies.
    private final List<@Nullable OfWarp> warps = new ArrayList<>();

    /// The parts of the copies of each lane of a warp, which it waits for, or hands over, as a
    /// whole.
    public interface Parts {
        /// Whether those of all lanes are alike.
        boolean areEven();

        /// How many have ended: the number of the one that a copy begun now is of.
        int current(int lane);

        /// The clock at which a lane had waited for a part, or handed it over; -1 as long as it has
        /// not.
        int overAt(int lane, int part);
    }

    /// When a lane's parts began, and were over, by the clocks of its warp; or those of all lanes.
    private static final class Times {
        // Of those up to the current one, and of those that are over.
        private int[] starts;
        private int current;
        private int[] ends;
        private int over;

        Times() {
            starts = new int[4];
            ends = new int[4];
        }

        Times(Times other) {
            starts = other.starts.clone();
            current = other.current;
            ends = other.ends.clone();
            over = other.over;
        }

        void begin(int parts, int clock) {
            if (parts >= starts.length) {
                starts = Arrays.copyOf(starts, 2 * parts);
            }
            Arrays.fill(starts, current + 1, parts + 1, clock);
            current = parts;
        }

        void end(Parts parts, int lane) {
            for (int clock = 0; over < current; over++) {
                clock = parts.overAt(lane, over);
                if (clock < 0) {
                    return;
                }
                ends = over < ends.length ? ends : Arrays.copyOf(ends, 2 * over);
                ends[over] = clock;
            }
        }

        /// When copies were over that began at a clock, or -1.
        int endOf(int clock) {
            int part = 0;
            for (int behind = current + 1; behind - part > 1; ) {
                int middle = part + behind >>> 1;
                if (starts[middle] <= clock) {
                    part = middle;
                } else {
                    behind = middle;
                }
            }
            return part < over ? ends[part] : -1;
        }
    }

    /// What copies of a warp read.
    private static final class OfWarp {
        // Of all lanes, or of each.
        private Times[] lanes = {new Times()};

        // The lanes that have begun some.
        private int copying;

        private Times of(int lane) {
            return lanes[lanes.length == 1 ? 0 : lane];
        }

        private void part(boolean even) {
            if (!even && lanes.length == 1) {
                Times all = lanes[0];
                lanes = new Times[Integer.SIZE];
                Arrays.setAll(lanes, lane -> lane == 0 ? all : new Times(all));
            }
        }

        boolean hasEnded(Parts parts) {
            for (int lane = 0; lane < lanes.length; lane++) {
                if (lanes[lane].current < parts.current(lane)) {
                    return true;
                }
            }
            return false;
        }

        void follow(Parts parts, int clock) {
            for (int lane = 0; lane < lanes.length; lane++) {
                lanes[lane].begin(parts.current(lane), clock);
                lanes[lane].end(parts, lane);
            }
        }
    }

    CopiedSources(HappensBefore order) {
        this.order = order;
        cta = order.cta();
    }

    /// The index of the CTA.
    int cta() {
        return cta;
    }

    private @Nullable OfWarp of(int warp) {
        return warp < warps.size() ? warps.get(warp) : null;
    }

    /// Copies of some lanes of a warp have begun, now.
    public void began(int warp, int lanes, Parts parts) {
        OfWarp begun = of(warp);
        if (begun == null) {
            while (warps.size() <= warp) {
                warps.add(null);
            }
            begun = new OfWarp();
            begun.part(parts.areEven());
            begun.follow(parts, order.clock(warp));
            warps.set(warp, begun);
        }
        begun.copying |= lanes;
    }

    /// Parts of a warp's copies have ended, or are over.
    public void changed(int warp, Parts parts) {
        OfWarp begun = of(warp);
        if (begun != null) {
            begun.part(parts.areEven());
            if (begun.hasEnded(parts)) {
                order.tick(warp);
            }
            begun.follow(parts, order.clock(warp));
        }
    }

    /// Whether what some lanes of a warp copied is read by now, and that is over for a thread.
    ///
    /// @param clock at which the copies began
    /// @param by the order of the thread's CTA
    boolean areOver(int warp, int mask, int clock, HappensBefore by, int thread) {
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int end = end(warp, lane, clock);
            int reader = end < Stamp.FIRST_ASYNC ? warp : order.async().ofCopies(warp);
            if (end < 0 || !by.areOver(cta, reader, 1 << lane, end, thread)) {
                return false;
            }
        }
        return true;
    }

    /// When a lane's copies were over, or -1 as long as they are not; when they began where there
    /// are none, or clocks tick no more.
    private int end(int warp, int lane, int clock) {
        OfWarp begun = of(warp);
        return begun == null || (begun.copying >>> lane & 1) == 0 || clock == Stamp.LAST_CLOCK
                ? clock
                : begun.of(lane).endOf(clock);
    }

    /// Whether whatever threads of the CTA copied up to a clock is read by now, and that is over
    /// for all lanes of a warp.
    boolean areOverForWarp(int clock, int warp) {
        for (int each = 0; each < warps.size(); each++) {
            OfWarp begun = of(each);
            int lanes = begun == null ? 0 : begun.copying;
            boolean areAlike = begun != null && begun.lanes.length == 1;
            for (int rest = lanes; rest != 0; rest &= areAlike ? 0 : rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                int end = end(each, lane, clock);
                int reader = end < Stamp.FIRST_ASYNC ? each : order.async().ofCopies(each);
                int mask = areAlike ? lanes : 1 << lane;
                if (end < 0 || !order.areOverForWarp(reader, mask, end, warp)) {
                    return false;
                }
            }
        }
        return true;
    }
}
