package dev.heddle.vm.access;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.RowFragments;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
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

    /// `ldmatrix`.
    public void load(Frame frame, Site site, Collective.LoadMatrix step) {
        Rows rows =
                new Rows(
                        Access.weak(step.space(), 4),
                        step.base(),
                        step.offset(),
                        step.dealt(),
                        step.targets().size());
        forEach(
                frame,
                site,
                rows,
                AccessKind.LOAD,
                (segment, register, lane) ->
                        frame.set(
                                step.targets().get(register),
                                lane,
                                gather(segment, step.dealt(), register, lane)));
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

    /// `stmatrix`: the reverse of `ldmatrix`.
    public void store(Frame frame, Site site, Collective.StoreMatrix step) {
        warp.changed();
        Rows rows =
                new Rows(
                        Access.weak(step.space(), 4),
                        step.base(),
                        step.offset(),
                        step.dealt(),
                        step.values().size());
        forEach(
                frame,
                site,
                rows,
                AccessKind.STORE,
                (segment, register, lane) -> {
                    long bits = frame.value(step.values().get(register), lane);
                    scatter(segment, step.dealt(), register, lane, bits);
                });
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

    /// Rows at addresses of the first lanes, eight for each register.
    private record Rows(
            Access access, Source base, long offset, RowFragments dealt, int registers) {
        int lanes() {
            return registers == 4 ? -1 : (1 << 8 * registers) - 1;
        }
    }

    /// What is done with a register of a lane, once the offsets of lanes are those of the rows.
    private interface RegisterAction {
        void run(MemorySegment segment, int register, int lane);
    }

    private void forEach(
            Frame frame, Site site, Rows rows, AccessKind kind, RegisterAction action) {
        Access access = rows.access();
        int bytes = rows.dealt().element().rowBytes();
        warp.addresses()
                .forEachSpace(
                        frame,
                        access.space(),
                        rows.base(),
                        rows.offset(),
                        rows.lanes(),
                        (space, segment, part) -> {
                            memory.requireShared(site, space, ROW_BYTES, part, kind);
                            memory.require(site, access, space, segment, bytes, part, kind);
                            for (int register = 0; register < rows.registers(); register++) {
                                for (int lane = 0; lane < 32; lane++) {
                                    action.run(segment, register, lane);
                                }
                            }
                        });
    }
}
