package dev.heddle.sparse;

import static dev.heddle.sparse.Words.LONGS;

import dev.heddle.isa.rule.Rule;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/// A compressed matrix: stored elements and metadata, each in its layout.
final class CompressedRows implements Rows {
    private static final int NIBBLE = 4;

    private final MatrixType type;
    private final Arrangement arrangement;
    private final Chunks chunks;
    private final Plane values;
    private final Plane metadata;
    private final Optional<Plane> copy;
    private final StoredCodes codes;
    private final byte[] decoding;
    private final byte[] encoding;

    /// @throws IllegalArgumentException if the memory is not of the size that the matrix takes
    CompressedRows(
            MatrixType type,
            Arrangement arrangement,
            MemorySegment values,
            MemorySegment metadata) {
        this.type = type;
        this.arrangement = arrangement;
        this.chunks = Chunks.of(type.format(), arrangement.granularity());
        this.values =
                Plane.of(
                        arrangement.values(),
                        type.rows(),
                        type.columns() / 2,
                        type.elementBits(),
                        values);
        long bytes = arrangement.metadataBytes(type);
        boolean one = arrangement.copy().isEmpty();
        MemorySegment first = one ? metadata : metadata.asSlice(0, bytes);
        MemorySegment rest = one ? metadata : metadata.asSlice(bytes);
        int rows = type.rows();
        int count = chunkCount();
        this.metadata = Plane.of(arrangement.metadata(), rows, count, NIBBLE, first);
        this.copy = arrangement.copy().map(order -> Plane.within(order, rows, count, NIBBLE, rest));
        this.codes = new StoredCodes(arrangement.added(), type.elementBits());
        this.decoding = arrangement.decoding(chunks);
        this.encoding = arrangement.encoding(chunks);
        for (int nibble = 0; nibble < decoding.length; nibble++) {
            if (decoding[nibble] < 0) {
                decoding[nibble] = (byte) ~nibble;
            }
        }
    }

    private int chunkCount() {
        return type.columns() / arrangement.granularity().width();
    }

    @Override
    public int tallestTile() {
        int first = Math.max(arrangement.values().tileRows(), arrangement.metadata().tileRows());
        return Math.max(first, arrangement.copy().map(TiledLayout::tileRows).orElse(1));
    }

    @Override
    public int chunkPlaces() {
        int first = places(arrangement.metadata());
        return Math.max(first, arrangement.copy().map(this::places).orElse(0));
    }

    private int places(TiledLayout order) {
        return Math.toIntExact(order.tilesRight(chunkCount()) * order.tileColumns());
    }

    @Override
    public void read(Band band) {
        values.read(band.firstRow(), band.rows(), band.stored(), band.storedRowBytes());
        if (codes.added() != 0) {
            codes.subtract(band);
        }
        metadata.readNibbles(
                band.firstRow(), band.rows(), band.sets(), band.chunkStride(), decoding);
        if (anyUndefined(band.sets())) {
            resolve(band);
        }
        copy.ifPresent(order -> compare(order, band));
    }

    /// Whether the highest bit of any is set, eight at a time.
    private static boolean anyUndefined(byte[] sets) {
        long any = 0;
        int at = 0;
        for (; at <= sets.length - Long.BYTES; at += Long.BYTES) {
            any |= (long) LONGS.get(sets, at);
        }
        for (; at < sets.length; at++) {
            any |= sets[at];
        }
        return (any & 0x8080_8080_8080_8080L) != 0;
    }

    private void resolve(Band band) {
        int count = chunkCount();
        for (int i = 0; i < band.count(); i++) {
            int at = i * band.chunkStride();
            for (int chunk = 0; chunk < count; chunk++) {
                if (band.sets()[at + chunk] < 0) {
                    band.sets()[at + chunk] = undefined(band, i, chunk, ~band.sets()[at + chunk]);
                }
            }
        }
    }

    /// The metadata in its second order must say the same.
    private void compare(Plane order, Band band) {
        byte[] again = new byte[band.sets().length];
        order.readNibbles(band.firstRow(), band.rows(), again, band.chunkStride(), decoding);
        for (int i = 0; i < band.count(); i++) {
            int at = i * band.chunkStride();
            int chunk =
                    Arrays.mismatch(
                            again, at, at + chunkCount(), band.sets(), at, at + chunkCount());
            if (chunk >= 0) {
                int row = band.firstRow() + i;
                throw new SparsityException(
                        row,
                        "row %d, chunk %d: the metadata in its second order does not say the same as in its first"
                                .formatted(row, chunk));
            }
        }
    }

    /// What an undefined nibble stands for: nothing, unless its library writes it for empty chunks
    /// and this one is empty.
    private byte undefined(Band band, int i, int chunk, int nibble) {
        int half = i * band.storedRowBytes() + chunk * chunks.bytes() / 2;
        if (arrangement.empty().contains(nibble) && chunks.loadHalf(band.stored(), half) == 0) {
            return (byte) ((1 << chunks.units() / 2) - 1);
        }
        int row = band.firstRow() + i;
        long place = arrangement.metadata().offset(type.rows(), chunkCount(), row, chunk);
        Rule rule = arrangement.granularity().brokenBy(nibble);
        String allowed =
                arrangement.coding() == Arrangement.Coding.MASK
                        ? "expected two bits of the four to be set"
                        : "%s [%s, PTX ISA %s]".formatted(rule.text(), rule.id(), rule.section());
        throw new SparsityException(
                row,
                "metadata of row %d, chunk %d (byte %d, bits %d..%d) is 0b%s: %s"
                        .formatted(
                                row,
                                chunk,
                                place / 2,
                                place % 2 * NIBBLE + NIBBLE - 1,
                                place % 2 * NIBBLE,
                                Integer.toBinaryString(1 << NIBBLE | nibble).substring(1),
                                allowed));
    }

    @Override
    public void write(Band band) {
        if (codes.added() != 0) {
            codes.add(band);
        }
        values.write(band.firstRow(), band.rows(), band.stored(), band.storedRowBytes());
        pad(band);
        metadata.writeNibbles(
                band.firstRow(), band.rows(), band.sets(), band.chunkStride(), encoding);
        copy.ifPresent(
                order ->
                        order.writeNibbles(
                                band.firstRow(),
                                band.rows(),
                                band.sets(),
                                band.chunkStride(),
                                encoding));
    }

    /// Places without a chunk hold what an empty chunk holds.
    private void pad(Band band) {
        byte empty = arrangement.fill().table()[0];
        int count = chunkCount();
        for (int i = 0; i < band.rows(); i++) {
            int at = i * band.chunkStride();
            Arrays.fill(
                    band.sets(),
                    at + (i < band.count() ? count : 0),
                    at + band.chunkStride(),
                    empty);
        }
    }
}
