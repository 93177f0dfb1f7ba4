package dev.heddle.vm.memory;

/// The rows of a box, in the order in which they stand in shared memory.
public sealed interface BoxRows {
    /// What is done with a row.
    interface Action {
        /// Takes a row.
        ///
        /// @param at where the row begins in the box in shared memory, in bytes
        /// @param from the first of its bytes that is inside the tensor
        /// @param to behind the last of them; no more than `from` where none is
        /// @param offset of byte `from` from the first of the tensor
        void row(long at, int from, int to, long offset);
    }

    /// The map of the tensor.
    TensorMap map();

    /// How many there are.
    long count();

    void forEach(Action action);

    /// Bytes of all rows: what an mbarrier counts.
    default long bytes() {
        return count() * map().rowBytes();
    }

    /// Bytes of shared memory from the first row to behind the last.
    default long extent() {
        return count() * map().pitch();
    }

    /// The part of a row that is inside the tensor, if its other coordinates are.
    static void row(
            TensorMap map, long[] place, int length, long at, boolean inside, Action action) {
        TensorMap.Element element = map.element();
        long first = Math.max(0, -place[0]);
        long behind = Math.min(length, map.shape()[0] - place[0]);
        if (!inside || behind <= first) {
            action.row(at, 0, 0, 0);
            return;
        }
        long offset = element.bytes(place[0] + first);
        for (int axis = 1; axis < map.rank(); axis++) {
            offset += place[axis] * map.strides()[axis - 1];
        }
        action.row(at, element.bytes((int) first), element.bytes((int) behind), offset);
    }

    /// Tile mode (PTX ISA 5.5.3).
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Tile(TensorMap map, int[] start) implements BoxRows {
        private int count(int axis) {
            return axis == 0
                    ? map.box()[0]
                    : Math.ceilDiv(map.box()[axis], Math.max(1, map.steps()[axis]));
        }

        @Override
        public long count() {
            long rows = 1;
            for (int axis = 1; axis < map.rank(); axis++) {
                rows *= count(axis);
            }
            return rows;
        }

        @Override
        public void forEach(Action action) {
            long[] place = new long[map.rank()];
            long rows = count();
            for (long row = 0; row < rows; row++) {
                long rest = row;
                boolean inside = true;
                place[0] = start[0];
                for (int axis = 1; axis < map.rank(); axis++) {
                    place[axis] = start[axis] + rest % count(axis) * Math.max(1, map.steps()[axis]);
                    rest /= count(axis);
                    inside &= place[axis] >= 0 && place[axis] < map.shape()[axis];
                }
                BoxRows.row(map, place, map.box()[0], row * map.pitch(), inside, action);
            }
        }
    }

    /// `.tile::gather4` and `.tile::scatter4` (PTX ISA 5.5.3.4): four rows of a tensor of two axes.
    ///
    /// @param start the column, then the four rows
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Gathered(TensorMap map, int[] start) implements BoxRows {
        /// Coordinates of one.
        public static final int COORDINATES = 5;

        @Override
        public long count() {
            return COORDINATES - 1;
        }

        @Override
        public void forEach(Action action) {
            for (int i = 0; i < count(); i++) {
                long[] place = {start[0], start[i + 1]};
                boolean inside = place[1] >= 0 && place[1] < map.shape()[1];
                BoxRows.row(map, place, map.box()[0], (long) i * map.pitch(), inside, action);
            }
        }
    }

    /// im2col mode (PTX ISA 5.5.4): the pixels follow each other along W, then H, then D, within
    /// the bounding box, and go on in the next image.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Columns(TensorMap map, int[] start, int[] offsets) implements BoxRows {
        @Override
        public long count() {
            return map.box()[1];
        }

        @Override
        public void forEach(Action action) {
            int last = map.rank() - 1;
            long[] base = new long[map.rank()];
            long[] place = new long[map.rank()];
            for (int axis = 0; axis <= last; axis++) {
                base[axis] = start[axis];
            }
            for (int pixel = 0; pixel < map.box()[1]; pixel++) {
                boolean inside = base[last] >= 0 && base[last] < map.shape()[last];
                place[0] = base[0];
                place[last] = base[last];
                for (int axis = 1; axis < last; axis++) {
                    int shift = axis - 1 < offsets.length ? offsets[axis - 1] : 0;
                    place[axis] = base[axis] + shift;
                    inside &= place[axis] >= 0 && place[axis] < map.shape()[axis];
                }
                BoxRows.row(map, place, map.box()[0], (long) pixel * map.pitch(), inside, action);
                advance(base, last);
            }
        }

        private void advance(long[] base, int last) {
            for (int axis = 1; axis < last; axis++) {
                base[axis] += Math.max(1, map.steps()[axis]);
                if (base[axis] < map.shape()[axis] + map.upper()[axis - 1]) {
                    return;
                }
                base[axis] = map.lower()[axis - 1];
            }
            base[last]++;
        }
    }
}
