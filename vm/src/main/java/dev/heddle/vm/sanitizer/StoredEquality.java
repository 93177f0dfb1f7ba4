package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.ValueLayout;

/// Whether two stores that are not in order at least store the same: then nobody can tell.
@SuppressWarnings("ArrayRecordComponent") // never compared
record StoredEquality(
        Warp warp,
        SharedFaults faults,
        Access access,
        long[] offsets,
        int bytes,
        int lanes,
        @Nullable Stored stored) {
    boolean holds(SharedAccess look, long other, int at, int extent) {
        if (stored == null
                || access.isStrong()
                || Stamp.kind(other) != Stamp.WEAK
                || faults.isAsync(other)) {
            return false;
        }
        int lane = Stamp.thread(other) % 32;
        boolean together =
                lane < look.lane()
                        && (lanes >>> lane & 1) != 0
                        && other == look.now() - look.lane() + lane
                        && at >= offsets[lane]
                        && at < offsets[lane] + bytes;
        for (int i = at; i < at + extent; i++) {
            byte before =
                    together
                            ? value(stored, lane, i - (int) offsets[lane])
                            : warp.cta().shared().get(ValueLayout.JAVA_BYTE, i);
            if (before != value(stored, look.lane(), i - look.at())) {
                return false;
            }
        }
        return true;
    }

    /// Whether an element stores what is in memory.
    boolean holdsBefore(SharedAccess look, int at, int extent) {
        if (stored == null || access.isStrong()) {
            return false;
        }
        for (int i = at; i < at + extent; i++) {
            byte before = warp.cta().shared().get(ValueLayout.JAVA_BYTE, i);
            if (before != value(stored, look.lane(), i - look.at())) {
                return false;
            }
        }
        return true;
    }

    private byte value(Stored values, int lane, int at) {
        return values.at(lane, at, access.bytes());
    }
}
