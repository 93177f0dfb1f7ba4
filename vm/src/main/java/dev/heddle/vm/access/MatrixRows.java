package dev.heddle.vm.access;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.RowFragments;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `ldmatrix` and `stmatrix` (PTX ISA 9.7.14.5.15 and 9.7.14.5.16): matrices whose rows stand at
/// addresses that lanes name.
public final class MatrixRows {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    /// Of a row with its padding.
    private static final int ROW_BYTES = 16;

    private final Warp warp;
    private final MemoryUnit memory;

    public MatrixRows(Warp warp, MemoryUnit memory) {
        this.warp = warp;
        this.memory = memory;
    }

    /// Rows go into the registers of lanes, or come from there.
    void access(Frame frame, Site site, Collective.AccessMatrix step, RowFragments dealt) {
        if (step.kind().writes()) {
            warp.changed();
        }
        RegisterAction load =
                (segment, register, lane) ->
                        frame.set(
                                step.targets().get(register),
                                lane,
                                gather(segment, dealt, register, lane));
        RegisterAction store =
                (segment, register, lane) ->
                        scatter(
                                segment,
                                dealt,
                                register,
                                lane,
                                frame.value(step.values().get(register), lane));
        forEach(frame, site, step, dealt, step.kind().writes() ? store : load);
    }

    private long gather(MemorySegment segment, RowFragments dealt, int register, int lane) {
        RowFragments.Element element = dealt.element();
        long bits = 0;
        for (int i = 0; i < element.perRegister(); i++) {
            long row = warp.addresses().offsets()[dealt.row(register, lane, i)];
            long value = element(segment, row, element, dealt.column(register, lane, i));
            bits |= value << element.slotBits() * i + element.shift();
        }
        return bits;
    }

    private static long element(
            MemorySegment segment, long row, RowFragments.Element element, int column) {
        if (element == RowFragments.Element.B16) {
            return segment.get(SHORT, row + 2L * column) & 0xffffL;
        }
        int first = column * element.bits();
        long value = segment.get(BYTE, row + first / 8) & 0xffL;
        if (first % 8 + element.bits() > 8) {
            value |= (segment.get(BYTE, row + first / 8 + 1) & 0xffL) << 8;
        }
        return value >>> first % 8 & (1L << element.bits()) - 1;
    }

    private void scatter(
            MemorySegment segment, RowFragments dealt, int register, int lane, long bits) {
        boolean halves = dealt.element() == RowFragments.Element.B16;
        for (int i = 0; i < dealt.element().perRegister(); i++) {
            long row = warp.addresses().offsets()[dealt.row(register, lane, i)];
            int column = dealt.column(register, lane, i);
            if (halves) {
                segment.set(SHORT, row + 2L * column, (short) (bits >>> 16 * i));
            } else {
                segment.set(BYTE, row + column, (byte) (bits >>> 8 * i));
            }
        }
    }

    /// What is done with a register of a lane, once the offsets of lanes are those of the rows.
    private interface RegisterAction {
        void run(MemorySegment segment, int register, int lane);
    }

    /// Rows stand at addresses of the first lanes, eight for each register.
    private void forEach(
            Frame frame,
            Site site,
            Collective.AccessMatrix step,
            RowFragments dealt,
            RegisterAction action) {
        int registers = step.registers();
        int bytes = dealt.element().rowBytes();
        Access access = Access.weak(step.space(), 4);
        warp.addresses()
                .forEachSpace(
                        frame,
                        step.space(),
                        step.base(),
                        step.offset(),
                        registers == 4 ? -1 : (1 << 8 * registers) - 1,
                        (space, segment, part) -> {
                            AccessKind kind = step.kind();
                            memory.requireShared(site, space, ROW_BYTES, part, kind);
                            memory.require(site, access, space, segment, bytes, part, kind);
                            for (int register = 0; register < registers; register++) {
                                for (int lane = 0; lane < 32; lane++) {
                                    action.run(segment, register, lane);
                                }
                            }
                        });
    }
}
