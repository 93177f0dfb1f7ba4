package dev.heddle.vm.memory;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.scheduling.Frame;
import dev.heddle.vm.scheduling.Warp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `ldmatrix` and `stmatrix` (PTX ISA 9.7.14.5.15 and 9.7.14.5.16): 8x8 tiles whose rows stand at
/// addresses that lanes name.
public final class MatrixRows {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    private final Warp warp;
    private final MemoryUnit memory;

    public MatrixRows(Warp warp, MemoryUnit memory) {
        this.warp = warp;
        this.memory = memory;
    }

    /// `ldmatrix`: tile t takes its rows from the addresses of lanes 8 t to 8 t + 7.
    public void load(Frame frame, Site site, Collective.LoadMatrix step) {
        Place place = new Place(step.space(), step.base(), step.offset());
        forEachTile(
                frame,
                site,
                place,
                step.targets().size(),
                false,
                (segment, tile) -> loadTile(frame, step, segment, tile));
    }

    private void loadTile(
            Frame frame, Collective.LoadMatrix step, MemorySegment segment, int tile) {
        Register target = step.targets().get(tile);
        for (int lane = 0; lane < 32; lane++) {
            int row = lane / 4;
            int column = lane % 4 * 2;
            long bits =
                    step.transposed()
                            ? element(segment, tile, column, row)
                                    | element(segment, tile, column + 1, row) << 16
                            : element(segment, tile, row, column)
                                    | element(segment, tile, row, column + 1) << 16;
            frame.set(target, lane, bits);
        }
    }

    private long element(MemorySegment segment, int tile, int row, int column) {
        return segment.get(SHORT, memory.addresses().offsets()[8 * tile + row] + 2L * column)
                & 0xffffL;
    }

    /// `stmatrix`: the reverse of `ldmatrix`.
    public void store(Frame frame, Site site, Collective.StoreMatrix step) {
        warp.changed();
        Place place = new Place(step.space(), step.base(), step.offset());
        forEachTile(
                frame,
                site,
                place,
                step.values().size(),
                true,
                (segment, tile) -> storeTile(frame, step, segment, tile));
    }

    private void storeTile(
            Frame frame, Collective.StoreMatrix step, MemorySegment segment, int tile) {
        for (int lane = 0; lane < 32; lane++) {
            int row = lane / 4;
            int column = lane % 4 * 2;
            long bits = frame.value(step.values().get(tile), lane);
            for (int i = 0; i < 2; i++) {
                int r = step.transposed() ? column + i : row;
                int c = step.transposed() ? row : column + i;
                segment.set(
                        SHORT,
                        memory.addresses().offsets()[8 * tile + r] + 2L * c,
                        (short) (bits >>> 16 * i));
            }
        }
    }

    private record Place(Space space, Source base, long offset) {}

    /// What is done to a tile, its rows at the offsets of lanes.
    private interface TileAction {
        void run(MemorySegment segment, int tile);
    }

    private void forEachTile(
            Frame frame, Site site, Place place, int tiles, boolean store, TileAction action) {
        Access access = Access.weak(place.space(), 4);
        int rows = 8 * tiles;
        int lanes = rows == 32 ? -1 : (1 << rows) - 1;
        memory.addresses()
                .forEachSpace(
                        frame,
                        place.space(),
                        place.base(),
                        place.offset(),
                        lanes,
                        (space, segment, part) -> {
                            memory.requireShared(site, space, 16, part, store);
                            memory.require(site, access, space, segment, 16, part, store);
                            for (int tile = 0; tile < tiles; tile++) {
                                action.run(segment, tile);
                            }
                        });
    }
}
