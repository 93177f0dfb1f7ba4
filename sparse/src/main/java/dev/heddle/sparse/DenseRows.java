package dev.heddle.sparse;

import dev.heddle.formats.Codes;
import dev.heddle.isa.Granularity;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// A matrix with its zeros. Where it is smaller than what it is converted to or from, the rest is
/// zeros that it does not have.
final class DenseRows implements Rows {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MatrixType type;
    private final MatrixType present;
    private final Chunks chunks;
    private final MemorySegment bytes;
    private final byte[] keep;
    private final Pruning pruning;
    private final LongAdder dropped = new LongAdder();
    private final ThreadLocal<byte[]> row;
    private final ThreadLocal<ShortChunks> blocks = ThreadLocal.withInitial(ShortChunks::new);

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
        boolean shorts = chunks.areShorts();
        long lost = 0;
        for (int i = 0; i < band.count(); i++) {
            lost += shorts ? readShorts(band, i) : readRow(band, i);
        }
        dropped.add(lost);
    }

    /// @return elements other than zero that the row lost
    private long readRow(Band band, int i) {
        byte[] dense = row.get();
        load(band.firstRow() + i, dense);
        int step = chunks.bytes();
        long lost = 0;
        for (int index = 0; index < dense.length / step; index++) {
            int gone = put(chunks.load(dense, index * step), band, i, index);
            if (gone < 0) {
                throw nonconformity(dense, band.firstRow() + i, index);
            }
            lost += gone;
        }
        return lost;
    }

    /// The same of chunks of four 16-bit units, by blocks.
    private long readShorts(Band band, int i) {
        ShortChunks block = blocks.get();
        int count = chunkPlaces();
        int row = band.firstRow() + i;
        long lost = 0;
        for (int first = 0; first < count; first += ShortChunks.BLOCK) {
            int here = Math.min(ShortChunks.BLOCK, count - first);
            int half = i * band.storedRowBytes() + first * Integer.BYTES;
            load(row, first * Long.BYTES, MemorySegment.ofArray(block.chunks()), here * Long.BYTES);
            long found = 0;
            if (pruning == Pruning.REFUSE) {
                block.chooseNonzero(here);
            } else {
                found = block.chooseLargest(here) - 2L * here;
            }
            block.press(here);
            MemorySegment.copy(
                    block.halves(), 0, MemorySegment.ofArray(band.stored()), INT, half, here);
            if (!block.tell(band.sets(), i * band.chunkStride() + first, here)) {
                found += 2L * putOthers(block, band, i, first, here);
            }
            lost += pruning == Pruning.REFUSE ? 0 : found;
        }
        return lost;
    }

    /// Puts the chunks of which a block has chosen nothing.
    ///
    /// @return how many there are
    private int putOthers(ShortChunks block, Band band, int i, int first, int count) {
        int others = 0;
        int at = i * band.chunkStride() + first;
        for (int index = 0; index < count; index++) {
            if (band.sets()[at + index] == 0) {
                others++;
                if (put(block.chunks()[index], band, i, first + index) < 0) {
                    byte[] dense = row.get();
                    load(band.firstRow() + i, dense);
                    throw nonconformity(dense, band.firstRow() + i, first + index);
                }
            }
        }
        return others;
    }

    /// Puts one chunk into a band.
    ///
    /// @return elements other than zero that it lost, or -1 if it does not conform
    private int put(long chunk, Band band, int i, int index) {
        int nonzero = chunks.nonzero(chunk);
        byte set = keep[nonzero | chunks.coded(chunk) << chunks.units()];
        int lost = 0;
        if (set < 0) {
            if (pruning == Pruning.REFUSE) {
                return -1;
            }
            set = (byte) chunks.largest(chunk);
            lost = chunks.elements(chunk, nonzero & ~set);
        }
        int half = i * band.storedRowBytes() + index * chunks.bytes() / 2;
        chunks.storeHalf(band.stored(), half, chunks.pick(chunk, set));
        band.sets()[i * band.chunkStride() + index] = set;
        return lost;
    }

    private void load(int at, byte[] dense) {
        load(at, 0, MemorySegment.ofArray(dense), dense.length);
    }

    /// Takes bytes of a row, zeros where the matrix in memory has none.
    private void load(int at, int from, MemorySegment target, int count) {
        long length = present.rowBytes();
        long there = at < present.rows() ? Math.clamp(length - from, 0, count) : 0;
        MemorySegment.copy(bytes, there == 0 ? 0 : at * length + from, target, 0, there);
        target.asSlice(there, count - there).fill((byte) 0);
    }

    /// Puts bytes of a row into memory; what the matrix there has no place for must be zeros.
    private void save(int at, int from, MemorySegment source, int count) {
        long length = present.rowBytes();
        long there = at < present.rows() ? Math.clamp(length - from, 0, count) : 0;
        MemorySegment.copy(source, 0, bytes, there == 0 ? 0 : at * length + from, there);
        for (long i = there; i < count; i++) {
            if (source.get(ValueLayout.JAVA_BYTE, i) != 0) {
                throw new SparsityException(
                        at,
                        "row %d has elements other than zero outside of the %d x %d matrix that was asked for"
                                .formatted(at, present.rows(), present.columns()));
            }
        }
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
        boolean shorts = chunks.areShorts();
        for (int i = 0; i < band.count(); i++) {
            if (shorts) {
                writeShorts(band, i);
            } else {
                writeRow(band, i);
            }
        }
    }

    private void writeRow(Band band, int i) {
        byte[] dense = row.get();
        int step = chunks.bytes();
        int from = i * band.storedRowBytes();
        int at = i * band.chunkStride();
        for (int to = 0; to < dense.length; to += step) {
            long half = chunks.loadHalf(band.stored(), from);
            chunks.store(dense, to, chunks.spread(half, band.sets()[at++]));
            from += step / 2;
        }
        save(band.firstRow() + i, 0, MemorySegment.ofArray(dense), dense.length);
    }

    /// The same of chunks of four 16-bit units, by blocks.
    private void writeShorts(Band band, int i) {
        ShortChunks block = blocks.get();
        int count = chunkPlaces();
        for (int first = 0; first < count; first += ShortChunks.BLOCK) {
            int here = Math.min(ShortChunks.BLOCK, count - first);
            int half = i * band.storedRowBytes() + first * Integer.BYTES;
            MemorySegment.copy(
                    MemorySegment.ofArray(band.stored()), INT, half, block.halves(), 0, here);
            block.spread(band.sets(), i * band.chunkStride() + first, here);
            MemorySegment spread = MemorySegment.ofArray(block.chunks());
            save(band.firstRow() + i, first * Long.BYTES, spread, here * Long.BYTES);
        }
    }
}
