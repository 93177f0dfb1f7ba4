package dev.heddle.sparse;

import static dev.heddle.sparse.Words.INTS;
import static dev.heddle.sparse.Words.LONGS;
import static dev.heddle.sparse.Words.SHORTS;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.Packing;
import dev.heddle.isa.Granularity;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// The chunks of a sparse row, each taken as one machine word: which of its units are zero, which
/// are largest, and how the stored ones are pressed together.
///
/// A chunk is 8 bytes of 32- and 16-bit elements, 4 of 8-bit and of pairs of 4-bit ones, 2 of
/// single 4-bit ones. Sets of units are masks, bit `i` for unit `i`.
final class Chunks {
    private final Granularity granularity;
    private final int bytes;
    private final int units;
    private final int unitBits;

    /// The highest bit of each unit.
    private final long tops;

    /// The bits of each unit that tell its magnitude, for formats with a sign bit and magnitude.
    private final long magnitudes;

    /// The rank of each unit's magnitude, for units of at most 8 bits; 0 is zero.
    private final short @Nullable [] ranks;

    /// How many elements of each unit of several are not zero.
    private final byte @Nullable [] counts;

    /// The bits of each set of units.
    private final long[] lanes;

    private final byte[] nibbleOf;
    private final byte[] keptBy;

    private Chunks(Format format, Granularity granularity) {
        int elementBits = Packing.dense(format).containerBits();
        this.granularity = granularity;
        this.unitBits = elementBits * granularity.unit();
        this.units = granularity.width() / granularity.unit();
        this.bytes = unitBits * units / Byte.SIZE;
        this.lanes = new long[1 << units];
        for (int set = 0; set < lanes.length; set++) {
            for (int unit = 0; unit < units; unit++) {
                if ((set >> unit & 1) != 0) {
                    lanes[set] |= unitMask() << unit * unitBits;
                }
            }
        }
        long all = lanes[lanes.length - 1];
        this.tops = tops();
        this.magnitudes = format == FloatFormat.TF32 ? all & 0x7fffe000_7fffe000L : all & ~tops;
        this.ranks = unitBits <= Byte.SIZE ? ranks(format, granularity.unit()) : null;
        this.counts = granularity.unit() > 1 ? counts(format, granularity.unit()) : null;
        this.nibbleOf = new byte[1 << units];
        this.keptBy = new byte[16];
        Arrays.fill(keptBy, (byte) Fill.REFUSED);
        for (int set = 0; set < nibbleOf.length; set++) {
            if (Integer.bitCount(set) == units / 2) {
                nibbleOf[set] = (byte) nibble(set);
                keptBy[nibbleOf[set]] = (byte) set;
            }
        }
    }

    /// @throws InputException if no library stores such elements compressed
    static Chunks of(Format format, Granularity granularity) {
        int unit = Packing.dense(format).containerBits() * granularity.unit();
        boolean floats = format instanceof FloatFormat;
        boolean known =
                granularity == Granularity.ONE_OF_TWO
                        ? format == FloatFormat.F32 || format == FloatFormat.TF32
                        : unit <= Byte.SIZE && format.bits() > 1 || unit == Short.SIZE && floats;
        if (!known) {
            throw new InputException(
                    "%s is no format of sparse matrices with %s: expected f16 bf16, f32 or tf32 (1:2),"
                                    .formatted(format, granularity)
                            + " or a format of at most 8 bits");
        }
        return new Chunks(format, granularity);
    }

    private long unitMask() {
        return -1L >>> Long.SIZE - unitBits;
    }

    private long tops() {
        long bits = 0;
        for (int unit = 1; unit <= units; unit++) {
            bits |= 1L << unit * unitBits - 1;
        }
        return bits;
    }

    private int nibble(int set) {
        if (granularity == Granularity.ONE_OF_TWO) {
            return set == 1 ? 0b0100 : 0b1110;
        }
        int first = Integer.numberOfTrailingZeros(set);
        return first | Integer.numberOfTrailingZeros(set & set - 1) << 2;
    }

    private static short[] ranks(Format format, int elements) {
        int bits = Packing.dense(format).containerBits();
        double[] magnitude = new double[1 << bits * elements];
        for (int code = 0; code < magnitude.length; code++) {
            for (int element = 0; element < elements; element++) {
                double value = format.toDouble(code >> element * bits & format.mask());
                magnitude[code] += order(value);
            }
        }
        double[] sorted = Arrays.stream(magnitude).sorted().distinct().toArray();
        short[] ranks = new short[magnitude.length];
        for (int code = 0; code < ranks.length; code++) {
            // Where no code is zero the smallest magnitude still is something
            int above = sorted[0] == 0 ? 0 : 1;
            ranks[code] = (short) (Arrays.binarySearch(sorted, magnitude[code]) + above);
        }
        return ranks;
    }

    private static byte[] counts(Format format, int elements) {
        int bits = Packing.dense(format).containerBits();
        byte[] counts = new byte[1 << bits * elements];
        for (int code = 0; code < counts.length; code++) {
            for (int element = 0; element < elements; element++) {
                double value = format.toDouble(code >> element * bits & format.mask());
                counts[code] += (byte) (value != 0 ? 1 : 0);
            }
        }
        return counts;
    }

    /// The magnitude, with NaN above infinity.
    private static double order(double value) {
        return Double.isNaN(value)
                ? Double.POSITIVE_INFINITY
                : Math.min(Math.abs(value), Double.MAX_VALUE);
    }

    Granularity granularity() {
        return granularity;
    }

    /// Bytes of a chunk.
    int bytes() {
        return bytes;
    }

    int units() {
        return units;
    }

    /// The units that a nibble names, or [Fill#REFUSED] if the manual does not define it.
    int kept(int nibble) {
        return keptBy[nibble];
    }

    byte[] nibbles() {
        return nibbleOf.clone();
    }

    /// The chunk at a place of a row.
    long load(byte[] row, int at) {
        return switch (bytes) {
            case Long.BYTES -> (long) LONGS.get(row, at);
            case Integer.BYTES -> (int) INTS.get(row, at) & 0xffff_ffffL;
            default -> (short) SHORTS.get(row, at) & 0xffffL;
        };
    }

    /// Puts a whole chunk at a place of a row.
    void store(byte[] row, int at, long chunk) {
        switch (bytes) {
            case Long.BYTES -> LONGS.set(row, at, chunk);
            case Integer.BYTES -> INTS.set(row, at, (int) chunk);
            default -> SHORTS.set(row, at, (short) chunk);
        }
    }

    /// The stored half of a chunk at a place of a row of stored elements.
    long loadHalf(byte[] row, int at) {
        return switch (bytes) {
            case Long.BYTES -> (int) INTS.get(row, at) & 0xffff_ffffL;
            case Integer.BYTES -> (short) SHORTS.get(row, at) & 0xffffL;
            default -> row[at] & 0xffL;
        };
    }

    /// Puts the stored half of a chunk at a place of a row of stored elements.
    void storeHalf(byte[] row, int at, long half) {
        switch (bytes) {
            case Long.BYTES -> INTS.set(row, at, (int) half);
            case Integer.BYTES -> SHORTS.set(row, at, (short) half);
            default -> row[at] = (byte) half;
        }
    }

    /// The units whose value is not zero.
    int nonzero(long chunk) {
        if (ranks != null) {
            int set = 0;
            for (int unit = 0; unit < units; unit++) {
                set |= (ranks[(int) (chunk >>> unit * unitBits & unitMask())] != 0 ? 1 : 0) << unit;
            }
            return set;
        }
        return set((chunk & magnitudes) + ~tops);
    }

    /// How many elements of a set of units other than zero are not zero themselves.
    int elements(long chunk, int set) {
        if (counts == null) {
            return Integer.bitCount(set);
        }
        int elements = 0;
        for (int rest = set; rest != 0; rest &= rest - 1) {
            int unit = Integer.numberOfTrailingZeros(rest);
            elements += counts[(int) (chunk >>> unit * unitBits & unitMask())];
        }
        return elements;
    }

    /// The units whose code is not zero.
    int coded(long chunk) {
        return set(chunk | (chunk & ~tops) + (~tops & lanes[lanes.length - 1]));
    }

    private int set(long marked) {
        return (int) Long.compress(marked, tops);
    }

    /// The units with the largest magnitudes, half of all; of equal ones the first. NaN counts
    /// above infinity.
    int largest(long chunk) {
        if (units == 2) {
            int first = magnitude(chunk, 0);
            return first >= magnitude(chunk, 1) ? 0b01 : 0b10;
        }
        return largest(
                magnitude(chunk, 0), magnitude(chunk, 1), magnitude(chunk, 2), magnitude(chunk, 3));
    }

    /// Whether chunks are four 16-bit units, which [ShortChunks] takes.
    boolean areShorts() {
        return ranks == null && units == 4;
    }

    private static int largest(int a, int b, int c, int d) {
        int outcome =
                beats(a, b)
                        | beats(a, c) << 1
                        | beats(a, d) << 2
                        | beats(b, c) << 3
                        | beats(b, d) << 4
                        | beats(c, d) << 5;
        return Largest.OF_FOUR[outcome];
    }

    private static int beats(int first, int later) {
        return later - first - 1 >>> 31;
    }

    private int magnitude(long chunk, int unit) {
        int shift = unit * unitBits;
        return ranks != null
                ? ranks[(int) (chunk >>> shift & unitMask())]
                : (int) ((chunk & magnitudes) >>> shift & unitMask());
    }

    /// The bits of a set of units of a chunk, pressed together.
    long pick(long chunk, int set) {
        return Long.compress(chunk, lanes[set]);
    }

    /// The chunk in which those units hold what was pressed together, and the others zero.
    long spread(long half, int set) {
        return Long.expand(half, lanes[set]);
    }
}
