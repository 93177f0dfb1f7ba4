package dev.heddle.vm.access;

import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.BoxRows;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.memory.TensorMap.Element;
import dev.heddle.vm.memory.TensorSwizzle;
import dev.heddle.vm.sanitizer.MovedRows;
import dev.heddle.vm.state.LaneAddresses.Location;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Consumer;

/// One copy between a tensor and a place in shared memory.
///
/// In shared memory the box is packed, rows of the innermost axis one after the other, and its
/// units are then exchanged as the swizzle says. Sixteen padded elements take 16 bytes there.
///
/// @param map of the tensor
/// @param shared where the box begins
/// @param operator of a reduction, or null for a copy
/// @param global the bytes of the tensor
/// @param taken who looks at what goes into the tensor
record TensorBox(
        TensorMap map,
        Location shared,
        @Nullable AtomicOperator operator,
        Global global,
        Taken taken) {
    /// Bytes of padded elements in shared memory.
    private static final int UNIT = 16;

    /// Of an element of 6 bits in a byte of its own.
    private static final int SIX_BITS = 0x3f;

    /// Half of the last place of tf32, as bits of f32.
    private static final int TF32_HALF = 1 << 12;

    private static final int EXPONENT = 0x7f80_0000;
    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /// What every 16 bits of elements outside the tensor read as where they are NaN, whatever
    /// their type: measured on an H100.
    private static final int OUTSIDE = 0x7ff7;

    /// Finds bytes of a tensor.
    interface Global {
        /// Bytes of a row, which must be inside global memory.
        Location bytes(long address, int bytes, AccessKind kind);

        /// Bytes behind a row of the tensor, or null where its buffer has not so many.
        @Nullable Location padding(long address, int bytes);
    }

    /// Looks at bytes of shared memory that go into a tensor.
    @FunctionalInterface
    interface Taken {
        void at(long place, int bytes);
    }

    /// Rows of a box inside the tensor, as many one behind the other as are at equal distances.
    private static final class Looking implements BoxRows.Action {
        private final long origin;
        private final Consumer<MovedRows> look;
        private long first;
        private int bytes;
        private long pitch;
        private int count;

        Looking(long origin, Consumer<MovedRows> look) {
            this.origin = origin;
            this.look = look;
        }

        @Override
        public void row(long at, int from, int to, long offset) {
            long place = origin + offset;
            if (to <= from) {
                return;
            }
            boolean isNext = count == 1 || place == first + count * pitch;
            if (count > 0 && to - from == bytes && isNext) {
                pitch = count == 1 ? place - first : pitch;
                count++;
                return;
            }
            end();
            first = place;
            bytes = to - from;
            count = 1;
        }

        void end() {
            if (count > 0) {
                look.accept(new MovedRows(first, bytes, count == 1 ? bytes : pitch, count));
            }
        }
    }

    /// Shows what a box touches of global memory, before any of it moves.
    static void look(BoxRows rows, Consumer<MovedRows> look) {
        Looking looking = new Looking(rows.map().address() - Addresses.GLOBAL, look);
        rows.forEach(looking);
        looking.end();
    }

    void load(BoxRows rows) {
        byte[] row = new byte[map.rowBytes()];
        MemorySegment bytes = MemorySegment.ofArray(row);
        rows.forEach(
                (at, from, to, offset) -> {
                    boolean isWhole = from == 0 && to == row.length;
                    if (!isWhole) {
                        fill(row);
                    }
                    if (to > from) {
                        Location source =
                                global.bytes(map.address() + offset, to - from, AccessKind.LOAD);
                        if (isWhole && !isRounded()) {
                            put(source.segment(), source.offset(), at);
                            return;
                        }
                        MemorySegment.copy(
                                source.segment(), source.offset(), bytes, from, to - from);
                        round(bytes, from, to);
                    }
                    put(bytes, 0, at);
                });
    }

    private boolean isRounded() {
        return map.element() == Element.TF32 || map.element() == Element.TF32_FTZ;
    }

    /// Elements of tf32 are rounded to their 10 bits of mantissa as they are loaded: measured on an
    /// H100.
    private void round(MemorySegment row, int from, int to) {
        if (!isRounded()) {
            return;
        }
        for (int at = from; at < to; at += Float.BYTES) {
            row.set(WORD, at, rounded(row.get(WORD, at)));
        }
    }

    private static int rounded(int bits) {
        boolean finite = (bits & EXPONENT) != EXPONENT;
        return (finite ? bits + TF32_HALF : bits) & -2 * TF32_HALF;
    }

    private void fill(byte[] row) {
        if (!map.nanFill()) {
            Arrays.fill(row, (byte) 0);
            return;
        }
        for (int i = 0; i < row.length; i++) {
            row[i] = (byte) (OUTSIDE >>> 8 * (i % 2));
        }
    }

    /// Puts a whole row to where it is in shared memory.
    ///
    /// @param from where it begins in its segment
    private void put(MemorySegment row, long from, long at) {
        Element element = map.element();
        int bytes = map.rowBytes();
        int unit = element.isPadded() ? element.bytes(Element.PACKED) : map.swizzle().unit();
        int pitch = element.isPadded() ? UNIT : unit;
        long to = shared.offset() + at;
        if (map.swizzle() == TensorSwizzle.NONE && pitch == unit) {
            MemorySegment.copy(row, from, shared.segment(), to, bytes);
        } else if (unit == UNIT && bytes % UNIT == 0) {
            for (int i = 0; i < bytes; i += UNIT) {
                move(row, from + i, map.swizzle().place(to + i));
            }
        } else {
            for (int i = 0; i < bytes; i += unit, to += pitch) {
                int count = Math.min(unit, bytes - i);
                MemorySegment.copy(row, from + i, shared.segment(), map.swizzle().place(to), count);
            }
        }
    }

    /// Moves one unit into shared memory: a call of a copy takes longer than so few bytes.
    private void move(MemorySegment row, long from, long to) {
        shared.segment().set(LONG, to, row.get(LONG, from));
        shared.segment().set(LONG, to + Long.BYTES, row.get(LONG, from + Long.BYTES));
    }

    /// A row that ends within 16 bytes of the tensor is stored up to their end: so an H100 does.
    void store(BoxRows rows) {
        rows.forEach(
                (at, from, to, offset) -> {
                    if (to <= from) {
                        return;
                    }
                    long address = map.address() + offset;
                    Location target = global.bytes(address, to - from, AccessKind.STORE);
                    if (map.element().isPadded()) {
                        pack(at, from, to, target);
                        return;
                    }
                    take(at + from, target, to - from, taken);
                    int rest = -to & UNIT - 1;
                    Location padding = rest == 0 ? null : global.padding(address + to - from, rest);
                    if (padding != null) {
                        take(at + to, padding, rest, (place, bytes) -> {});
                    }
                });
    }

    private void take(long at, Location target, int bytes, Taken look) {
        int unit = map.swizzle().unit();
        for (int done = 0; done < bytes; ) {
            long from = shared.offset() + at + done;
            int count = (int) Math.min(bytes - done, unit - from % unit);
            long place = map.swizzle().place(from);
            look.at(place, count);
            if (operator == null) {
                long to = target.offset() + done;
                MemorySegment.copy(shared.segment(), place, target.segment(), to, count);
            } else {
                reduce(operator, place, target, done, count);
            }
            done += count;
        }
    }

    private void reduce(AtomicOperator by, long place, Location target, int done, int count) {
        int each = map.element().bytes(1);
        // Sums of .f32 and .tf32 keep subnormals on an H100, as in shared memory.
        Space rules =
                map.element() == Element.F32 || map.element() == Element.TF32
                        ? Space.SHARED
                        : Space.GLOBAL;
        for (int i = 0; i < count; i += each) {
            BulkCopies.reduce(
                    by,
                    map.element().type(),
                    rules,
                    target,
                    done + i,
                    MemoryUnit.readBytes(shared.segment(), place + i, each));
        }
    }

    /// Elements of 6 bits that are in a byte each, one after the other.
    private void pack(long at, int from, int to, Location target) {
        int unit = map.element().bytes(Element.PACKED);
        byte[] packed = new byte[unit];
        for (int done = from; done < to; done += unit) {
            long place = map.swizzle().place(shared.offset() + at + (long) done / unit * UNIT);
            taken.at(place, Element.PACKED);
            Arrays.fill(packed, (byte) 0);
            for (int i = 0; i < Element.PACKED; i++) {
                long element = MemoryUnit.readBytes(shared.segment(), place + i, 1) & SIX_BITS;
                int bit = 6 * i;
                packed[bit / 8] |= (byte) (element << bit % 8);
                if (bit % 8 > 2) {
                    packed[bit / 8 + 1] |= (byte) (element >> 8 - bit % 8);
                }
            }
            MemorySegment.copy(
                    MemorySegment.ofArray(packed),
                    0,
                    target.segment(),
                    target.offset() + done - from,
                    unit);
        }
    }
}
