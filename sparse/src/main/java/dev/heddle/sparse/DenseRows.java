package dev.heddle.sparse;

import dev.heddle.formats.Codes;
import dev.heddle.isa.Granularity;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// A matrix with its zeros. Where it is smaller than what it is converted to or from, the rest is
/// zeros that it does not have.
final class DenseRows implements Rows {
    private final MatrixType type;
    private final MatrixType present;
    private final Chunks chunks;
    private final MemorySegment bytes;
    private final byte[] keep;
    private final Pruning pruning;
    private final LongAdder dropped = new LongAdder();
    private final ThreadLocal<byte[]> row;

    /// @param present     the matrix in memory
    /// @param type        the matrix on the other side, at least as large
    /// @param arrangement that of the other side: what a chunk is and how it is filled up
    DenseRows(
            MatrixType present,
            MatrixType type,
            MemorySegment bytes,
            Arrangement arrangement,
            Pruning pruning) {
        this.present = present;
        this.type = type;
        this.bytes = bytes;
        this.chunks = Chunks.of(type.format(), arrangement.granularity());
        this.keep = arrangement.fill().table();
        this.pruning = pruning;
        this.row = ThreadLocal.withInitial(() -> new byte[Math.toIntExact(type.rowBytes())]);
    }

    @Override
    public int tallestTile() {
        return 1;
    }

    @Override
    public int chunkPlaces() {
        return type.columns() / chunks.granularity().width();
    }

    /// Elements other than zero that pruning has left out.
    long dropped() {
        return dropped.sum();
    }

    @Override
    public void read(Band band) {
        byte[] dense = row.get();
        for (int i = 0; i < band.count(); i++) {
            load(band.firstRow() + i, dense);
            int refused =
                    pruning == Pruning.REFUSE ? compress(dense, band, i) : prune(dense, band, i);
            if (refused >= 0) {
                throw nonconformity(dense, band.firstRow() + i, refused);
            }
        }
    }

    private void load(int at, byte[] dense) {
        int length = Math.toIntExact(present.rowBytes());
        if (at < present.rows()) {
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, (long) at * length, dense, 0, length);
        } else {
            Arrays.fill(dense, 0, length, (byte) 0);
        }
    }

    private void save(int at, byte[] dense) {
        int length = at < present.rows() ? Math.toIntExact(present.rowBytes()) : 0;
        for (int i = length; i < dense.length; i++) {
            if (dense[i] != 0) {
                throw new SparsityException(
                        at,
                        "row %d has elements other than zero outside of the %d x %d matrix that was asked for"
                                .formatted(at, present.rows(), present.columns()));
            }
        }
        MemorySegment.copy(dense, 0, bytes, ValueLayout.JAVA_BYTE, (long) at * length, length);
    }

    /// @return the first chunk that does not conform, or -1
    private int compress(byte[] dense, Band band, int i) {
        int to = i * band.storedRowBytes();
        int at = i * band.chunkStride();
        int step = chunks.bytes();
        int count = dense.length / step;
        boolean shorts = chunks.areShorts();
        for (int index = 0; index < count; index++) {
            if (shorts) {
                index = chunks.compressShorts(dense, index, band.stored(), to, band.sets(), at);
                if (index == count) {
                    break;
                }
            }
            long chunk = chunks.load(dense, index * step);
            byte set = keep[chunks.nonzero(chunk) | chunks.coded(chunk) << chunks.units()];
            if (set < 0) {
                return index;
            }
            chunks.storeHalf(band.stored(), to + index * step / 2, chunks.pick(chunk, set));
            band.sets()[at + index] = set;
        }
        return -1;
    }

    /// @return -1: every chunk conforms when it is pruned
    private int prune(byte[] dense, Band band, int i) {
        int to = i * band.storedRowBytes();
        int at = i * band.chunkStride();
        int count = dense.length / chunks.bytes();
        boolean shorts = chunks.areShorts();
        long lost = 0;
        for (int index = 0; index < count; index++) {
            if (shorts) {
                int end = chunks.pruneShorts(dense, index, band.stored(), to, band.sets(), at);
                lost += (long) (end - index) * chunks.units() / 2;
                index = end;
                if (end == count) {
                    break;
                }
            }
            lost += prune(dense, index, band.stored(), to, band.sets(), at);
        }
        dropped.add(lost);
        return -1;
    }

    /// Prunes one chunk.
    ///
    /// @return elements other than zero that it lost
    private int prune(byte[] dense, int index, byte[] stored, int to, byte[] sets, int at) {
        long chunk = chunks.load(dense, index * chunks.bytes());
        int nonzero = chunks.nonzero(chunk);
        byte set = keep[nonzero | chunks.coded(chunk) << chunks.units()];
        int lost = 0;
        if (set < 0) {
            set = (byte) chunks.largest(chunk);
            lost = chunks.elements(chunk, nonzero & ~set);
        }
        chunks.storeHalf(stored, to + index * chunks.bytes() / 2, chunks.pick(chunk, set));
        sets[at + index] = set;
        return lost;
    }

    private SparsityException nonconformity(byte[] dense, int at, int chunk) {
        Granularity granularity = chunks.granularity();
        Codes codes = Codes.wrap(type.format(), type.columns(), dense);
        int first = chunk * granularity.width();
        List<String> values = new ArrayList<>();
        for (int column = first; column < first + granularity.width(); column++) {
            values.add(String.valueOf(codes.toDouble(column)));
        }
        long word = chunks.load(dense, chunk * chunks.bytes());
        int gone = chunks.nonzero(word) & ~chunks.largest(word);
        List<String> smallest = new ArrayList<>();
        for (int unit = 0; unit < chunks.units(); unit++) {
            if ((gone >> unit & 1) != 0) {
                for (int k = 0; k < granularity.unit(); k++) {
                    int column = first + unit * granularity.unit() + k;
                    smallest.add("column %d (%s)".formatted(column, codes.toDouble(column)));
                }
            }
        }
        return new SparsityException(
                at,
                "row %d, chunk %d (columns %d..%d) holds %s; allowed by %s: %s other than zero [PTX ISA 9.7.14.6.1]; the smallest that would have to go: %s"
                        .formatted(
                                at,
                                chunk,
                                first,
                                first + granularity.width() - 1,
                                String.join(", ", values),
                                granularity,
                                granularity.allowance(),
                                String.join(", ", smallest)));
    }

    @Override
    public void write(Band band) {
        byte[] dense = row.get();
        int step = chunks.bytes();
        for (int i = 0; i < band.count(); i++) {
            int from = i * band.storedRowBytes();
            int at = i * band.chunkStride();
            for (int to = 0; to < dense.length; to += step) {
                long half = chunks.loadHalf(band.stored(), from);
                chunks.store(dense, to, chunks.spread(half, band.sets()[at++]));
                from += step / 2;
            }
            save(band.firstRow() + i, dense);
        }
    }
}
