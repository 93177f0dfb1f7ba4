package dev.heddle.vm.access;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.RowFragments;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.sanitizer.MatrixRowChecks;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/// `ldmatrix` and `stmatrix` (PTX ISA 9.7.14.5.15 and 9.7.14.5.16): matrices whose rows stand at
/// addresses that lanes name.
public final class MatrixRows {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /// Of a row with its padding.
    private static final int ROW_BYTES = 16;

    private final Warp warp;
    private final MemoryUnit memory;

    // Two words of each row; the second is cut where a row is shorter.
    private final long[] rows = new long[2 * 32];

    public MatrixRows(Warp warp, MemoryUnit memory) {
        this.warp = warp;
        this.memory = memory;
    }

    /// Rows go into the registers of lanes, or come from there.
    void access(Frame frame, Site site, Collective.AccessMatrix step, RowFragments dealt) {
        if (step.kind().writes()) {
            warp.changed();
        }
        forEach(
                frame,
                site,
                step,
                dealt,
                step.kind().writes()
                        ? segment -> store(frame, step, dealt, segment)
                        : segment -> load(frame, step, dealt, segment));
    }

    private void load(
            Frame frame, Collective.AccessMatrix step, RowFragments dealt, MemorySegment segment) {
        if (dealt.isWhole()) {
            loadWhole(frame.words, step, segment);
            return;
        }
        readRows(segment, 8 * step.registers(), dealt.element().rowBytes());
        for (int register = 0; register < step.registers(); register++) {
            Register target = step.targets().get(register);
            if (dealt.isOfPairs()) {
                loadPairs(frame.words, 32 * target.index(), 16 * register);
                continue;
            }
            for (int lane = 0; lane < 32; lane++) {
                frame.set(target, lane, gather(dealt, register, lane));
            }
        }
    }

    /// The words of a row go to a lane each.
    private void loadWhole(int[] words, Collective.AccessMatrix step, MemorySegment segment) {
        long[] offsets = warp.addresses().offsets();
        int row = 0;
        for (Register target : step.targets()) {
            int at = 32 * target.index();
            for (int end = row + 8; row < end; row++, at += 4) {
                long offset = offsets[row];
                words[at] = segment.get(INT, offset);
                words[at + 1] = segment.get(INT, offset + 4);
                words[at + 2] = segment.get(INT, offset + 8);
                words[at + 3] = segment.get(INT, offset + 12);
            }
        }
    }

    /// Eight rows that were read, columns of 16 bits across the lanes: four lanes have two elements
    /// each of one.
    ///
    /// @param at the first of the register's words
    /// @param from the first of the rows' words
    private void loadPairs(int[] words, int at, int from) {
        for (int column = 0; column < 8; column++) {
            int word = from + column / 4;
            int shift = column % 4 * 16;
            for (int pair = 0; pair < 4; pair++, word += 4) {
                int low = (int) (rows[word] >>> shift) & 0xffff;
                int high = (int) (rows[word + 2] >>> shift) << 16;
                words[at + 4 * column + pair] = high | low;
            }
        }
    }

    /// Each row is read once, not each of its elements.
    private void readRows(MemorySegment segment, int count, int bytes) {
        long[] offsets = warp.addresses().offsets();
        for (int row = 0; row < count; row++) {
            long offset = offsets[row];
            rows[2 * row] = segment.get(LONG, offset);
            rows[2 * row + 1] =
                    bytes > 12
                            ? segment.get(LONG, offset + 8)
                            : bytes > 8 ? segment.get(INT, offset + 8) : 0;
        }
    }

    private long gather(RowFragments dealt, int register, int lane) {
        RowFragments.Element element = dealt.element();
        long bits = 0;
        for (int i = 0; i < element.perRegister(); i++) {
            long value =
                    element(
                            2 * dealt.row(register, lane, i),
                            dealt.column(register, lane, i) * element.bits(),
                            element.bits());
            bits |= value << element.slotBits() * i + element.shift();
        }
        return bits;
    }

    /// So many bits of a row from its bit `first` on.
    private long element(int row, int first, int bits) {
        int inWord = first % Long.SIZE;
        long value = rows[row + first / Long.SIZE] >>> inWord;
        if (inWord + bits > Long.SIZE) {
            value |= rows[row + 1] << Long.SIZE - inWord;
        }
        return value & (1L << bits) - 1;
    }

    private void store(
            Frame frame, Collective.AccessMatrix step, RowFragments dealt, MemorySegment segment) {
        for (int register = 0; register < step.registers(); register++) {
            Source value = step.values().get(register);
            for (int lane = 0; lane < 32; lane++) {
                scatter(segment, dealt, register, lane, frame.value(value, lane));
            }
        }
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

    /// Rows stand at addresses of the first lanes, eight for each register. What is done with them
    /// is told where they are, once the offsets of lanes are those of the rows.
    private void forEach(
            Frame frame,
            Site site,
            Collective.AccessMatrix step,
            RowFragments dealt,
            Consumer<MemorySegment> action) {
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
                            if (space == Space.SHARED && kind.writes()) {
                                memory.checks()
                                        .shared()
                                        .rows()
                                        .beforeStore(
                                                site,
                                                warp.addresses().offsets(),
                                                part,
                                                dealt,
                                                registers);
                            }
                            memory.require(site, access, space, segment, bytes, part, kind);
                            if (space == Space.SHARED) {
                                look(site, kind, part, dealt, registers);
                            }
                            action.accept(segment);
                        });
    }

    /// Lets the checks know which lanes the rows of this CTA's memory go to, or come from.
    private void look(Site site, AccessKind kind, int part, RowFragments dealt, int registers) {
        long[] offsets = warp.addresses().offsets();
        MatrixRowChecks rows = memory.checks().shared().rows();
        if (kind.writes()) {
            rows.store(site, offsets, part, dealt, registers);
        } else {
            rows.load(site, offsets, part, dealt);
        }
    }
}
