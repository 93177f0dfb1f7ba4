package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.LaneElements;
import dev.heddle.vm.shadow.Stamp;

import org.jspecify.annotations.Nullable;

import java.util.function.IntUnaryOperator;

/// An access of lanes to shared memory of another CTA, before it is made.
///
/// @param offsets by lane, where it begins in the memory of that CTA
/// @param bytes of a lane
/// @param acquires whether old values are wanted: `red` does not acquire
/// @param stored what is stored, or null where that is not at hand
record RemoteAccess(
        Site site,
        Access access,
        AccessKind kind,
        IntUnaryOperator offsets,
        int bytes,
        boolean acquires,
        @Nullable Stored stored) {
    /// One whose lanes begin at these offsets. It acquires what it reads.
    static RemoteAccess of(Site site, Access access, AccessKind kind, long[] offsets, int bytes) {
        return new RemoteAccess(
                site, access, kind, lane -> (int) offsets[lane], bytes, kind.reads(), null);
    }

    /// The same of an atomic operation.
    RemoteAccess acquiring(boolean wanted) {
        return new RemoteAccess(site, access, kind, offsets, bytes, wanted, stored);
    }

    /// The same of a store of these values.
    RemoteAccess storing(@Nullable Stored values) {
        return new RemoteAccess(site, access, kind, offsets, bytes, acquires, values);
    }

    /// Whether lanes update one element each, and what one does orders nothing for the next.
    boolean isRelaxedUpdate() {
        return kind == AccessKind.ATOMIC
                && bytes == access.bytes()
                && !access.order().acquires()
                && !access.order().releases();
    }

    int offset(int lane) {
        return offsets.applyAsInt(lane);
    }

    /// What lanes of a warp access, as the other CTA keeps it.
    LaneElements elements(int warp) {
        return new LaneElements(
                offsets,
                bytes,
                access.bytes(),
                kind.writes(),
                stampKind(access),
                warp,
                site.number());
    }

    /// The kind of an access in its stamp.
    static int stampKind(Access access) {
        return access.isStrong() ? Stamp.kindOf(access.bytes(), access.scope()) : Stamp.WEAK;
    }
}
