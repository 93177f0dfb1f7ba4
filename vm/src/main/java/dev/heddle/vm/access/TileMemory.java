package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Tile;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// `wmma.load` and `wmma.store` (PTX ISA 9.7.14.4.3 and 9.7.14.4.4): all lanes name one address.
public record TileMemory(Warp warp, MemoryUnit memory) {
    /// What is done with one unit of each lane.
    private interface UnitAction {
        /// @param ahead bytes from the offsets on
        void on(MemorySegment segment, long[] offsets, int ahead, int unit);
    }

    /// Units go into the registers of lanes, or come from there.
    void access(Frame frame, Site site, Collective.AccessMatrix step, Tile tile) {
        if (step.kind().writes()) {
            store(frame, site, step, tile);
        } else {
            load(frame, site, step, tile);
        }
    }

    private void load(Frame frame, Site site, Collective.AccessMatrix step, Tile tile) {
        List<Register> targets = step.targets();
        long[][] values = new long[targets.size()][32];
        forEachUnit(
                frame,
                site,
                step,
                tile,
                (segment, offsets, ahead, unit) -> {
                    int register = unit / tile.perRegister();
                    int shift = unit % tile.perRegister() * 8 * tile.unitBytes();
                    for (int lane = 0; lane < 32; lane++) {
                        values[register][lane] |=
                                MemoryUnit.readBytes(
                                                segment, offsets[lane] + ahead, tile.unitBytes())
                                        << shift;
                    }
                });
        for (int register = 0; register < targets.size(); register++) {
            for (int lane = 0; lane < 32; lane++) {
                frame.set(targets.get(register), lane, values[register][lane]);
            }
        }
    }

    private void store(Frame frame, Site site, Collective.AccessMatrix step, Tile tile) {
        warp.changed();
        forEachUnit(
                frame,
                site,
                step,
                tile,
                (segment, offsets, ahead, unit) -> {
                    Source value = step.values().get(unit / tile.perRegister());
                    int shift = unit % tile.perRegister() * 8 * tile.unitBytes();
                    for (int lane = 0; lane < 32; lane++) {
                        MemoryUnit.writeBytes(
                                segment,
                                offsets[lane] + ahead,
                                tile.unitBytes(),
                                frame.value(value, lane) >>> shift);
                    }
                });
    }

    private void forEachUnit(
            Frame frame, Site site, Collective.AccessMatrix step, Tile tile, UnitAction action) {
        AccessKind kind = step.kind();
        int registers = step.registers();
        if (warp.isChecked()) {
            requireOneAddress(frame, site, step);
        }
        long stride =
                step.stride() == null ? tile.defaultStride() : (int) frame.value(step.stride(), 0);
        Access access = Access.weak(step.space(), tile.unitBytes());
        warp.addresses()
                .forEachSpace(
                        frame,
                        step.space(),
                        step.base(),
                        step.offset(),
                        -1,
                        (found, segment, lanes) -> {
                            requireSpace(site, tile, found, lanes, kind);
                            long[] offsets = warp.addresses().offsets();
                            long start = offsets[0];
                            if (warp.isChecked()) {
                                requireAligned(site, tile, registers, start, stride);
                            }
                            int bytes = tile.unitBytes();
                            int each = together(tile, start, stride);
                            for (int unit = 0;
                                    unit < registers * tile.perRegister();
                                    unit += each) {
                                for (int lane = 0; lane < 32; lane++) {
                                    long element =
                                            tile.outer()[32 * unit + lane] * stride
                                                    + tile.inner()[32 * unit + lane];
                                    offsets[lane] = start + element * tile.elementBits() / 8;
                                }
                                memory.require(
                                        site, access, found, segment, each * bytes, -1, kind);
                                for (int i = 0; i < each; i++) {
                                    action.on(segment, offsets, i * bytes, unit + i);
                                }
                            }
                        });
    }

    /// How many units each lane accesses at once: those that stand together, where all lanes'
    /// are aligned.
    private static int together(Tile tile, long start, long stride) {
        long bytes = (long) tile.together() * tile.unitBytes();
        boolean isAligned = (start | stride * tile.elementBits() / 8) % bytes == 0;
        return isAligned ? tile.together() : 1;
    }

    private void requireSpace(Site site, Tile tile, Space found, int lanes, AccessKind kind) {
        if (found != Space.GLOBAL && found != Space.SHARED) {
            long[] offsets = warp.addresses().offsets();
            throw memory.checks().outside(site, found, offsets, -1, tile.unitBytes(), lanes, kind);
        }
    }

    private void requireOneAddress(Frame frame, Site site, Collective.AccessMatrix step) {
        int others = 0;
        for (int lane = 1; lane < 32; lane++) {
            boolean same =
                    frame.value(step.base(), lane) == frame.value(step.base(), 0)
                            && (step.stride() == null
                                    || frame.value(step.stride(), lane)
                                            == frame.value(step.stride(), 0));
            others |= same ? 0 : 1 << lane;
        }
        if (others != 0) {
            throw warp.faults()
                    .undefined(
                            Rule.WMMA_ADDRESS_DIFFERS,
                            site,
                            others,
                            "%s with another address or stride than lane 0: all lanes of the warp must name the same"
                                    .formatted(site.mnemonic()));
        }
    }

    /// Rows begin at multiples of the fragment's size; CUDA's own interface asks for 16 bytes
    /// where that is larger.
    private void requireAligned(Site site, Tile tile, int registers, long start, long stride) {
        int bytes = Math.min(16, registers * tile.perRegister() * tile.unitBytes());
        long step = stride * tile.elementBits() / 8;
        if (start % bytes != 0 || step % bytes != 0) {
            throw warp.faults()
                    .undefined(
                            Rule.MISALIGNED_WMMA,
                            site,
                            -1,
                            "%s at offset 0x%x with %d bytes from row to row: both must be multiples of %d"
                                    .formatted(site.mnemonic(), start, step, bytes));
        }
    }
}
