package dev.heddle.vm.memory;

/// The rows of a box, in the order in which they are in shared memory.
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
    private static void row(TensorMap map, long[] place, long at, boolean inside, Action action) {
        TensorMap.Element element = map.element();
        long first = Math.max(0, -place[0]);
        long behind = Math.min(map.box()[0], map.shape()[0] - place[0]);
        if (!inside || behind <= first) {
            action.row(at, 0, 0, 0);
            return;
        }
        long offset = element.bytes(place[0] + first) + outer(map, place);
        action.row(at, element.bytes((int) first), element.bytes((int) behind), offset);
    }

    /// A slice of channels of one pixel.
    private static void slice(TensorMap map, long[] place, long at, Action action) {
        if (isInside(map, place, 0)) {
            long offset = place[0] * map.interleave() + outer(map, place);
            action.row(at, 0, map.interleave(), offset);
        } else {
            action.row(at, 0, 0, 0);
        }
    }

    private static long outer(TensorMap map, long[] place) {
        long offset = 0;
        for (int axis = 1; axis < map.rank(); axis++) {
            offset += place[axis] * map.strides()[axis - 1];
        }
        return offset;
    }

    private static boolean isInside(TensorMap map, long[] place, int from) {
        for (int axis = from; axis < map.rank(); axis++) {
            if (place[axis] < 0 || place[axis] >= map.shape()[axis]) {
                return false;
            }
        }
        return true;
    }

    private static void step(TensorMap map, long[] place, long at, Action action) {
        if (map.interleave() == 0) {
            row(map, place, at, isInside(map, place, 1), action);
        } else {
            slice(map, place, at, action);
        }
    }

    /// Tile mode (PTX ISA 5.5.3). Of interleaved channels a box takes one slice.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Tile(TensorMap map, int[] start) implements BoxRows {
        /// Rows of a box along an axis.
        private int count(int axis) {
            return axis == map.channelAxis()
                    ? 1
                    : Math.ceilDiv(map.box()[axis], Math.max(1, map.steps()[axis]));
        }

        @Override
        public long count() {
            long rows = 1;
            for (int axis = 0; axis < map.rank(); axis++) {
                rows *= count(axis);
            }
            return rows;
        }

        @Override
        public void forEach(Action action) {
            int rank = map.rank();
            int[] counts = new int[rank];
            int[] at = new int[rank];
            long[] place = new long[rank];
            for (int axis = 0; axis < rank; axis++) {
                counts[axis] = count(axis);
                place[axis] = start[axis];
            }
            long rows = count();
            for (long row = 0; row < rows; row++) {
                BoxRows.step(map, place, row * map.pitch(), action);
                for (int axis = 0; axis < rank && ++at[axis] == counts[axis]; axis++) {
                    at[axis] = 0;
                }
                for (int axis = 0; axis < rank; axis++) {
                    place[axis] = start[axis] + (long) at[axis] * Math.max(1, map.steps()[axis]);
                }
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
                BoxRows.step(map, place, (long) i * map.pitch(), action);
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
            long[] base = new long[map.rank()];
            for (int axis = 0; axis < map.rank(); axis++) {
                base[axis] = start[axis];
            }
            for (int pixel = 0; pixel < map.box()[1]; pixel++) {
                long[] place = base.clone();
                for (int i = 0; i < offsets.length; i++) {
                    place[map.firstInnerAxis() + i] += offsets[i];
                }
                BoxRows.step(map, place, (long) pixel * map.pitch(), action);
                advance(base);
            }
        }

        private void advance(long[] base) {
            for (int i = 0; i < map.rank() - 2; i++) {
                int axis = map.firstInnerAxis() + i;
                base[axis] += Math.max(1, map.steps()[axis]);
                if (base[axis] < map.shape()[axis] + map.upper()[i]) {
                    return;
                }
                base[axis] = map.lower()[i];
            }
            int image = map.rank() - 1;
            base[image] += Math.max(1, map.steps()[image]);
        }
    }

    /// `.im2col::w` and `.im2col::w::128` (PTX ISA 5.5.5): pixels along W between the corners of
    /// the bounding box, H and D fixed, and on in the next image; behind each group of them, the
    /// pixels that come next as its halo.
    ///
    /// Where the pixels of a halo come from the manual shows in figures: that they are the next of
    /// the same walk, and that the group behind them begins with them again, is ASSUMED.
    ///
    /// @param group pixels with a halo behind them
    /// @param pixels without halos
    /// @param halo pixels behind each group
    /// @param offset that shifts the box and the first pixel along W
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Wide(TensorMap map, int[] start, int group, int pixels, int halo, int offset)
            implements BoxRows {
        /// Pixels of `.im2col::w::128`, and of those with a halo behind them.
        private static final int WIDE_PIXELS = 128;

        private static final int WIDE_GROUP = 32;

        /// The pixels of a mode.
        ///
        /// @param offsets the halo, and the offset along W
        public static Wide of(TensorMap map, int[] start, int[] offsets, boolean wide128) {
            int pixels = wide128 ? WIDE_PIXELS : map.box()[1];
            int group = wide128 ? WIDE_GROUP : pixels;
            return new Wide(map, start, group, pixels, offsets[0], offsets[1]);
        }

        @Override
        public long count() {
            return pixels + (long) Math.ceilDiv(pixels, group) * halo;
        }

        @Override
        public void forEach(Action action) {
            long row = 0;
            long[] place = first();
            for (int from = 0; from < pixels; from += group) {
                int main = Math.min(group, pixels - from);
                long[] next = place;
                for (int pixel = 0; pixel < main + halo; pixel++) {
                    if (pixel == main) {
                        next = place.clone();
                    }
                    BoxRows.step(map, place, row++ * map.pitch(), action);
                    advance(place);
                }
                place = halo == 0 ? place : next;
            }
        }

        private long[] first() {
            long[] place = new long[map.rank()];
            for (int axis = 0; axis < map.rank(); axis++) {
                place[axis] = start[axis];
            }
            place[map.firstInnerAxis()] += offset;
            return place;
        }

        private void advance(long[] place) {
            int axis = map.firstInnerAxis();
            place[axis] += Math.max(1, map.steps()[axis]);
            if (place[axis] >= map.shape()[axis] + map.upper()[0] + offset) {
                place[axis] = (long) map.lower()[0] + offset;
                place[map.rank() - 1]++;
            }
        }
    }
}
