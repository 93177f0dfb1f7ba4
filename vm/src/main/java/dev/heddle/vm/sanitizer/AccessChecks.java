package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.Aside;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/// Looks at memory accesses for what the manual leaves undefined: outside any buffer, misaligned,
/// never written; and in shared memory what [SharedChecks] looks for.
public final class AccessChecks {
    /// The marks of four bytes at once.
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private static final int ALL_WRITTEN = 0x0101_0101;

    private final Warp warp;
    private final @Nullable Definedness definedness;
    private final SymbolNames names;
    private final AccessFaults faults;
    private final BufferBounds bounds;
    private final UnwrittenReads unwritten;
    private final CopiedValues copied;
    private final HostReads host;
    private final SharedChecks shared;
    private final RemoteValues values;
    private final AsideStores asides = new AsideStores();
    private final ClusterStart start;
    private final @Nullable GlobalChecks global;
    private final @Nullable NonCoherentLoads nonCoherent;

    AccessChecks(Warp warp, Sanitizer sanitizer, @Nullable Definedness definedness) {
        this.definedness = definedness;
        this.warp = warp;
        names = new SymbolNames(warp);
        faults = new AccessFaults(warp, names);
        bounds = new BufferBounds(warp, faults);
        unwritten = new UnwrittenReads(warp, names, definedness);
        SharedFaults inShared = new SharedFaults(warp, names);
        copied = new CopiedValues(warp, inShared, unwritten, definedness);
        host = new HostReads(warp, unwritten, inShared, definedness);
        values = new RemoteValues(warp, inShared, definedness);
        shared = new SharedChecks(warp, names, sanitizer, definedness);
        global = GlobalChecks.of(warp, names, sanitizer, definedness);
        nonCoherent = NonCoherentLoads.of(warp, names, definedness);
        start = new ClusterStart(warp);
    }

    public SharedChecks shared() {
        return shared;
    }

    /// Forgets everything.
    void clear() {
        shared.copies().clear();
        start.clear();
    }

    /// Values that nobody wrote, where asynchronous copies take them along.
    public CopiedValues copied() {
        return copied;
    }

    /// What functions of the machine read.
    public HostReads host() {
        return host;
    }

    /// The fault of the first lane whose access is outside the segment or misaligned.
    public KernelFault outside(
            Site site,
            Space space,
            long[] offsets,
            long lastOffset,
            int bytes,
            int lanes,
            AccessKind kind) {
        return faults.outside(site, space, offsets, lastOffset, bytes, lanes, kind);
    }

    // With checks on.

    public void load(Site site, Access by, Space space, long[] offsets, int bytes, int lanes) {
        Access access = by.asOne(site);
        switch (space) {
            case GLOBAL -> {
                int row = WrittenMarks.rowOf(offsets, bytes, lanes);
                readGlobal(site, AccessKind.LOAD, offsets, bytes, lanes, row);
                if (global != null) {
                    global.load(site, access, offsets, bytes, lanes, row);
                }
                if (nonCoherent != null && NonCoherentLoads.isOne(site)) {
                    nonCoherent.load(site, offsets, bytes, lanes);
                }
            }
            case SHARED -> shared.load(site, access, offsets, bytes, lanes);
            case LOCAL -> unwritten.loadLocal(site, offsets, bytes, lanes);
            case CLUSTER -> {
                remote(
                        RemoteAccess.of(site, access, AccessKind.LOAD, offsets, bytes),
                        offsets,
                        lanes);
                Cta owner = warp.addresses().owner();
                OverwrittenBarriers.tellLoad(warp, site, owner, offsets, bytes, lanes);
                SharedShadow other = owner.shadow();
                if (definedness != null && other != null) {
                    definedness
                            .memory()
                            .load(definedness, other.undefined(), site, offsets, bytes, lanes);
                }
            }
            case CONST -> bounds.require(site, space, AccessKind.LOAD, offsets, bytes, lanes, 0);
            case PARAM, GENERIC -> {}
        }
    }

    /// An asynchronous operation of a lane is about to read, write or reduce into global memory.
    ///
    /// @param access weak, or each element of a reduction
    /// @param asides what stands for it, for each CTA that receives it
    public void move(
            Site site,
            Access access,
            AccessKind kind,
            MovedRows rows,
            int lane,
            List<Aside> asides) {
        long[] offsets = warp.addresses().offsets();
        MemorySegment written = warp.cta().grid().global().written();
        for (int row = 0; row < rows.count(); row++) {
            offsets[lane] = rows.at(row);
            bounds.require(site, Space.GLOBAL, kind, offsets, rows.bytes(), 1 << lane, 0);
        }
        boolean isNew = kind == AccessKind.STORE;
        for (int row = 0; row < rows.count() && kind != AccessKind.STORE; row++) {
            isNew |= !unwritten.readGlobal(site, kind, rows.at(row), rows.bytes(), lane);
        }
        if (global != null) {
            global.moves().move(site, asides, access, kind, rows, lane);
        }
        for (int row = 0; row < rows.count() && isNew && kind.writes(); row++) {
            WrittenMarks.mark(written, rows.at(row), rows.bytes());
        }
    }

    /// A tensor copy of a lane is about to read its map.
    ///
    /// @param reader what stands for that
    public void readMap(Site site, Aside reader, int lane, long offset) {
        if (global != null) {
            global.moves().readMap(site, reader, lane, offset);
        }
    }

    /// A CTA of the cluster whose shared memory is accessed must have started, and not have ended.
    public void requireAlive(Site site, Cta owner, int lanes) {
        if (owner.rank() == warp.cta().rank() || !warp.cta().grid().checks(RuleGroup.ASYNC)) {
            return;
        }
        if (owner.alive() > 0) {
            start.require(site, owner, lanes);
        } else {
            warp.faults()
                    .tell(
                            Rule.ACCESS_TO_EXITED_CTA,
                            site,
                            null,
                            () ->
                                    warp.faults()
                                            .undefined(
                                                    Rule.ACCESS_TO_EXITED_CTA,
                                                    site,
                                                    lanes,
                                                    "%s accesses shared memory of the CTA of rank %d, which has ended: %s"
                                                            .formatted(
                                                                    site.mnemonic(),
                                                                    owner.rank(),
                                                                    ClusterExit.toStay(site)),
                                                    ClusterExit.endOf(owner, warp)));
        }
    }

    private void readGlobal(
            Site site, AccessKind kind, long[] offsets, int bytes, int lanes, int row) {
        bounds.require(site, Space.GLOBAL, kind, offsets, bytes, lanes, row);
        unwritten.readGlobal(site, kind, offsets, bytes, lanes, row);
    }

    /// What lanes store counts as never written where it is undefined.
    private void unmark(long[] offsets, int bytes, int lanes, LongConsumer unmark) {
        if (definedness != null) {
            definedness.memory().unmark(offsets, bytes, lanes, unmark);
        }
    }

    /// Marks bytes of local memory of each lane as written.
    private static void mark(byte[] written, long[] offsets, int bytes, int lanes) {
        if (bytes % Integer.BYTES != 0) {
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                int at = (int) offsets[Integer.numberOfTrailingZeros(rest)];
                Arrays.fill(written, at, at + bytes, (byte) 1);
            }
            return;
        }
        for (int i = 0; i < bytes; i += Integer.BYTES) {
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) != 0) {
                    WORD.set(written, (int) offsets[lane] + i, ALL_WRITTEN);
                }
            }
        }
    }

    /// `atom` and `red`.
    ///
    /// @param acquires whether the old values are wanted
    public void update(
            Site site,
            Access by,
            Space space,
            long[] offsets,
            int bytes,
            int lanes,
            boolean acquires) {
        Access access = by.asOne(site);
        if (AsideStores.goAside(site, space)) {
            goAside(site, access, offsets, bytes, lanes, null);
            reduce(site, access, warp.addresses().owner(), offsets, bytes, lanes);
        } else if (space == Space.SHARED) {
            shared.update(site, access, offsets, bytes, lanes, acquires);
        } else if (space == Space.GLOBAL) {
            readGlobal(site, AccessKind.ATOMIC, offsets, bytes, lanes, 0);
            if (global != null) {
                global.update(site, access, offsets, bytes, lanes, acquires);
            }
            WrittenMarks.mark(warp.cta().grid().global().written(), offsets, bytes, lanes, 0);
        } else if (space == Space.CLUSTER) {
            RemoteAccess remote = RemoteAccess.of(site, access, AccessKind.ATOMIC, offsets, bytes);
            remote(remote.acquiring(acquires), offsets, lanes);
        } else {
            load(site, access, space, offsets, bytes, lanes);
            store(site, access, space, offsets, bytes, lanes, null);
        }
    }

    /// Lanes are about to reduce beside their thread, in shared memory that must have been written.
    /// Where that of another CTA need not be there, that is told instead, once they do.
    ///
    /// @param owner the CTA that has the memory
    public void reduce(Site site, Access access, Cta owner, long[] offsets, int bytes, int lanes) {
        boolean isOther = owner.rank() != warp.cta().rank();
        if (isOther && owner.alive() > 0 && start.isKnown(owner, lanes)) {
            RemoteAccess remote = RemoteAccess.of(site, access, AccessKind.ATOMIC, offsets, bytes);
            values.read(remote, owner, offsets, lanes);
        }
    }

    private void goAside(
            Site site,
            Access access,
            long[] offsets,
            int bytes,
            int lanes,
            @Nullable Stored stored) {
        requireInVariables(site, offsets, bytes, lanes);
        asides.begin(warp.addresses().owner(), access, offsets, bytes, lanes, stored);
    }

    /// Bytes that lanes store in another CTA, or beside their thread, must be in variables.
    private void requireInVariables(Site site, long[] offsets, int bytes, int lanes) {
        int inGaps = shared.bounds().inGaps(offsets, bytes, lanes);
        for (int rest = inGaps; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            shared.bounds().require(site, lane, offsets[lane], bytes, AccessKind.STORE);
        }
    }

    /// Where the bytes go that a lane's `st.async` or `red.async` has just stored.
    public long aside(int lane) {
        return asides.at(lane);
    }

    /// `st.async` and `red.async` write to the CTA that has the mbarrier, in a cluster of several
    /// (PTX ISA 9.7.9.12 and 9.7.13.7).
    public void requireAsidePlace(Site site, int lanes) {
        Cta owner = warp.addresses().owner();
        if (!warp.cta().grid().checks(RuleGroup.ASYNC)) {
            return;
        }
        int apart = asides.elsewhere(owner.rank(), lanes);
        if (apart < Integer.SIZE) {
            throw faults.aside(site, 1 << apart, "the mbarrier is in another CTA than the data");
        }
        if (warp.cta().cluster().size() == 1) {
            throw faults.aside(site, lanes, "the cluster has no other CTA");
        }
        if (site.kind() == InstructionKind.ASYNC_REDUCE && owner.rank() == warp.cta().rank()) {
            warp.faults()
                    .tell(
                            Rule.ASYNC_STORE_MISPLACED,
                            site,
                            null,
                            () ->
                                    faults.aside(
                                            site, lanes, "the data is in the CTA of the thread"));
        }
    }

    /// What its lanes have just stored or reduced so.
    AsideStores asides() {
        return asides;
    }

    /// An access to shared memory of another CTA, before it is made.
    private void remote(RemoteAccess remote, long[] offsets, int lanes) {
        Cta owner = warp.addresses().owner();
        requireAlive(remote.site(), owner, lanes);
        values.read(remote, owner, offsets, lanes);
        shared.cluster().remote(remote, owner, lanes);
        SharedShadow there = owner.shadow();
        if (remote.kind().writes() && there != null) {
            requireInVariables(remote.site(), offsets, remote.bytes(), lanes);
            if (definedness != null) {
                definedness.memory().store(there.undefined(), offsets, remote.bytes(), lanes);
            }
        }
    }

    /// A store, before it is made.
    ///
    /// @param stored the values, or null where they are not at hand
    public void store(
            Site site,
            Access by,
            Space space,
            long[] offsets,
            int bytes,
            int lanes,
            @Nullable Stored stored) {
        Access access = by.asOne(site);
        if (AsideStores.goAside(site, space)) {
            goAside(site, access, offsets, bytes, lanes, stored);
            return;
        }
        switch (space) {
            case GLOBAL -> {
                int row = WrittenMarks.rowOf(offsets, bytes, lanes);
                bounds.require(site, Space.GLOBAL, AccessKind.STORE, offsets, bytes, lanes, row);
                if (global != null) {
                    global.store(site, access, offsets, bytes, lanes, row, stored);
                }
                GlobalMemory memory = warp.cta().grid().global();
                WrittenMarks.mark(memory.written(), offsets, bytes, lanes, row);
                unmark(offsets, bytes, lanes, at -> memory.markUnwritten(at, 1));
            }
            case SHARED -> shared.store(site, access, offsets, bytes, lanes, stored);
            case LOCAL -> {
                byte[] marks = warp.local().written();
                mark(marks, offsets, bytes, lanes);
                unmark(offsets, bytes, lanes, at -> marks[(int) at] = 0);
            }
            case CLUSTER -> {
                RemoteAccess remote =
                        RemoteAccess.of(site, access, AccessKind.STORE, offsets, bytes);
                remote(remote.storing(stored), offsets, lanes);
            }
            case PARAM, CONST, GENERIC -> {}
        }
    }
}
