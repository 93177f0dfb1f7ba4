package dev.heddle.vm.access;

import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.sanitizer.AccessChecks;
import dev.heddle.vm.sanitizer.Sanitizer;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.LaneAddresses;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The memory of a warp: the units that access it, and what every access must keep.
///
/// The bounds of the segments behind [LaneAddresses] keep every access inside the device, whatever
/// the checks. With checks on, [AccessChecks] looks at every access before it is
/// made.
public final class MemoryUnit {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final Warp warp;
    private final Grid grid;
    private final Atomics atomics;
    private final AccessChecks checks;
    private final LoadStoreUnit loadStore;
    private final AsyncCopies copies;
    private final TileNames tiles;
    private final MatrixRows rows;
    private final BulkMemory bulkMemory;
    private final BulkCopies bulk;
    private final MemoryFunctions functions;
    private final TensorCopies tensors;
    private final TensorMaps maps;
    private final TextureAccess textures;
    private final SurfaceAccess surfaces;
    private final BarrierUnit barriers;
    private final LaneAddresses addresses;
    private final long[] offsets;

    /// The memory of a warp.
    ///
    /// @param sanitizer the checks of its CTA
    public MemoryUnit(Warp warp, Sanitizer sanitizer) {
        this.warp = warp;
        grid = warp.cta().grid();
        addresses = warp.addresses();
        offsets = addresses.offsets();
        atomics = new Atomics(warp, this);
        checks = sanitizer.warp(warp.index()).accesses();
        loadStore = new LoadStoreUnit(warp, this);
        copies = new AsyncCopies(warp, this);
        tiles = new TileNames(warp, this);
        rows = new MatrixRows(warp, this);
        bulkMemory = new BulkMemory(warp, this, sanitizer);
        bulk = new BulkCopies(warp, this, bulkMemory, sanitizer);
        functions = new MemoryFunctions(warp, this);
        maps = new TensorMaps(warp, this, sanitizer);
        tensors = new TensorCopies(warp, bulkMemory, maps);
        TextureHandles handles = new TextureHandles(warp);
        TexelChecks texels = grid.checked() ? new TexelChecks(warp, this) : null;
        textures = new TextureAccess(handles, texels);
        surfaces = new SurfaceAccess(warp, handles, texels);
        barriers = new BarrierUnit(warp, this);
    }

    /// Loads and stores.
    public LoadStoreUnit loadStore() {
        return loadStore;
    }

    public Atomics atomics() {
        return atomics;
    }

    public AsyncCopies copies() {
        return copies;
    }

    /// A matrix moves between memory and the registers of the warp.
    public void access(Frame frame, Site site, Collective.AccessMatrix step) {
        rows.access(frame, site, step, step.layout());
    }

    /// All lanes name a tile of a matrix.
    public void name(Frame frame, Site site, Collective.NameTile tile) {
        tiles.require(frame, site, tile);
    }

    /// Copies of consecutive bytes.
    public BulkCopies bulk() {
        return bulk;
    }

    /// The memory that copies touch.
    BulkMemory bulkMemory() {
        return bulkMemory;
    }

    /// What accesses memory in a way of its own.
    public MemoryFunctions functions() {
        return functions;
    }

    /// Textures, and what is asked of them and of surfaces.
    public TextureAccess textures() {
        return textures;
    }

    /// Surfaces.
    public SurfaceAccess surfaces() {
        return surfaces;
    }

    /// Copies of boxes of tensors.
    public TensorCopies tensors() {
        return tensors;
    }

    /// The maps of tensor copies.
    public TensorMaps maps() {
        return maps;
    }

    /// `mbarrier` objects.
    public BarrierUnit barriers() {
        return barriers;
    }

    AccessChecks checks() {
        return checks;
    }

    public static long readBytes(MemorySegment segment, long offset, int bytes) {
        return switch (bytes) {
            case 1 -> segment.get(ValueLayout.JAVA_BYTE, offset) & 0xffL;
            case 2 -> segment.get(SHORT, offset) & 0xffffL;
            case 4 -> segment.get(INT, offset) & 0xffff_ffffL;
            default -> segment.get(LONG, offset);
        };
    }

    public static void writeBytes(MemorySegment segment, long offset, int bytes, long value) {
        switch (bytes) {
            case 1 -> segment.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
            case 2 -> segment.set(SHORT, offset, (short) value);
            case 4 -> segment.set(INT, offset, (int) value);
            default -> segment.set(LONG, offset, value);
        }
    }

    // What every access must keep.

    public void spin(Site site, Space space, int lanes) {
        warp.spin(site, space, offsets[Integer.numberOfTrailingZeros(lanes)], lanes);
    }

    /// `atom` and `red`: every lane must stay inside the segment and aligned; the checks ask more.
    void requireToUpdate(
            Site site, Access access, Space space, MemorySegment segment, int bytes, int lanes) {
        requireInside(site, space, segment, bytes, lanes, AccessKind.ATOMIC);
        if (grid.checked()) {
            boolean acquires = site.kind() == InstructionKind.ATOMIC;
            checks.update(site, access, space, offsets, bytes, lanes, acquires);
        }
    }

    /// Every lane must stay inside the segment and aligned; the checks ask more.
    public void require(
            Site site,
            Access access,
            Space space,
            MemorySegment segment,
            int bytes,
            int lanes,
            AccessKind kind) {
        requireInside(site, space, segment, bytes, lanes, kind);
        if (grid.checked()) {
            if (kind.writes()) {
                checks.store(site, access, space, offsets, bytes, lanes, null);
            } else {
                checks.load(site, access, space, offsets, bytes, lanes);
            }
        }
    }

    /// An operation on mbarrier objects, which must be in shared memory.
    void requireObject(Site site, int lanes) {
        if (grid.checked()) {
            checks.shared().object(site, warp.addresses().owner(), offsets, lanes);
        }
    }

    void requireInside(
            Site site, Space space, MemorySegment segment, int bytes, int lanes, AccessKind kind) {
        long last = segment.byteSize() - bytes;
        long unit = Integer.highestOneBit(bytes) - 1L;
        long bad = 0;
        for (int lane = 0; lane < 32; lane++) {
            long offset = offsets[lane];
            long outside = offset | last - offset;
            bad |= (outside < 0 || (offset & unit) != 0) && (lanes >>> lane & 1) != 0 ? 1 : 0;
        }
        if (bad != 0) {
            throw checks.outside(site, space, offsets, last, bytes, lanes, kind);
        }
    }

    /// Barrier objects and rows of matrices are in shared memory alone.
    public void requireShared(Site site, Space space, int bytes, int lanes, AccessKind kind) {
        if (space != Space.SHARED && space != Space.CLUSTER) {
            throw checks.outside(site, space, offsets, -1, bytes, lanes, kind);
        }
    }

    /// Held while 128 bits are read or written as a whole.
    public Object wideLock() {
        return grid.global();
    }
}
