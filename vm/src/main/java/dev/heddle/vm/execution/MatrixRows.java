package dev.heddle.vm.execution;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Joint;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `ldmatrix` and `stmatrix` (PTX ISA 9.7.14.5.15 and 9.7.14.5.16): 8x8 tiles whose rows stand at
/// addresses that lanes name.
final class MatrixRows {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    private final Warp warp;
    private final MemoryUnit memory;

    MatrixRows(Warp warp, MemoryUnit memory) {
        this.warp = warp;
        this.memory = memory;
    }

    /// `ldmatrix`: tile t takes its rows from the addresses of lanes 8 t to 8 t + 7.
    void load(Frame frame, Site site, Joint.LoadMatrix step) {
        Access access = new Access(step.space(), 4, false, Access.Strength.WEAK);
        int rows = 8 * step.targets().size();
        int lanes = rows == 32 ? -1 : (1 << rows) - 1;
        memory.addresses()
                .forEachSpace(
                        frame,
                        step.space(),
                        step.base(),
                        step.offset(),
                        lanes,
                        (space, segment, part) -> {
                            if (space != Space.SHARED) {
                                throw memory.checks()
                                        .outside(
                                                site,
                                                space,
                                                memory.addresses().offsets(),
                                                -1,
                                                16,
                                                part,
                                                false);
                            }
                            memory.require(frame, site, access, space, segment, 16, part, false);
                            for (int tile = 0; tile < step.targets().size(); tile++) {
                                loadTile(frame, step, segment, tile);
                            }
                        });
    }

    private void loadTile(Frame frame, Joint.LoadMatrix step, MemorySegment segment, int tile) {
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
    void store(Frame frame, Site site, Joint.StoreMatrix step) {
        warp.changed();
        Access access = new Access(step.space(), 4, false, Access.Strength.WEAK);
        int rows = 8 * step.values().size();
        int lanes = rows == 32 ? -1 : (1 << rows) - 1;
        memory.addresses()
                .forEachSpace(
                        frame,
                        step.space(),
                        step.base(),
                        step.offset(),
                        lanes,
                        (space, segment, part) -> {
                            if (space != Space.SHARED) {
                                throw memory.checks()
                                        .outside(
                                                site,
                                                space,
                                                memory.addresses().offsets(),
                                                -1,
                                                16,
                                                part,
                                                true);
                            }
                            memory.require(frame, site, access, space, segment, 16, part, true);
                            for (int tile = 0; tile < step.values().size(); tile++) {
                                storeTile(frame, step, segment, tile);
                            }
                        });
    }

    private void storeTile(Frame frame, Joint.StoreMatrix step, MemorySegment segment, int tile) {
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
}
