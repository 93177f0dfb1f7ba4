package dev.heddle.sparse;

import dev.heddle.formats.Codes;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What a matrix or a piece of metadata looks like, by its bytes alone.
///
/// @param density   elements other than zero, as a share of all
/// @param conforms  the patterns that the matrix conforms to
/// @param picture   the density of a grid of tiles, row by row, each 0 to 1
public record Inspection(double density, List<Pattern> conforms, List<List<Double>> picture) {
    private static final List<String> PATTERNS =
            List.of("1:2", "2:4", "4:8", "4:8p", "2:4t", "1:4", "2:8");
    private static final int PICTURE_ROWS = 12;
    private static final int PICTURE_COLUMNS = 48;

    public Inspection {
        conforms = List.copyOf(conforms);
        picture = List.copyOf(picture);
    }

    /// Looks at a dense matrix.
    ///
    /// @throws InputException if it is compressed
    public static Inspection of(StoredMatrix matrix) {
        if (!matrix.format().dense()) {
            throw new InputException("expected a dense matrix");
        }
        MatrixType type = matrix.type();
        List<Pattern> left = new ArrayList<>();
        for (String text : PATTERNS) {
            Pattern pattern = Pattern.parse(text);
            if (type.columns() % pattern.columns() == 0) {
                left.add(pattern);
            }
        }
        Magnitudes values = new Magnitudes(matrix);
        int gridRows = Math.min(PICTURE_ROWS, type.rows());
        int gridColumns = Math.min(PICTURE_COLUMNS, type.columns());
        long[][] counts = new long[gridRows][gridColumns];
        long total = 0;
        int height = 4;
        float[] magnitudes = new float[height * type.columns()];
        boolean[] set = new boolean[magnitudes.length];
        for (int first = 0; first < type.rows(); first += height) {
            values.magnitudes(first, height, magnitudes);
            for (int i = 0; i < set.length; i++) {
                set[i] = magnitudes[i] != 0;
                if (set[i]) {
                    total++;
                    int row = first + i / type.columns();
                    counts[(int) ((long) row * gridRows / type.rows())][
                            (int) ((long) (i % type.columns()) * gridColumns / type.columns())]++;
                }
            }
            left.removeIf(pattern -> !allows(pattern, set, type.columns()));
        }
        return new Inspection(
                (double) total / type.rows() / type.columns(), left, shares(counts, type));
    }

    private static boolean allows(Pattern pattern, boolean[] set, int columns) {
        for (int at = 0; at < set.length; at += pattern.rows() * columns) {
            if (!pattern.allows(
                    Arrays.copyOfRange(set, at, at + pattern.rows() * columns), columns)) {
                return false;
            }
        }
        return true;
    }

    private static List<List<Double>> shares(long[][] counts, MatrixType type) {
        List<List<Double>> shares = new ArrayList<>();
        for (long[] row : counts) {
            List<Double> line = new ArrayList<>();
            double cell = (double) type.rows() / counts.length * type.columns() / row.length;
            for (long count : row) {
                line.add(Math.min(1, count / cell));
            }
            shares.add(List.copyOf(line));
        }
        return shares;
    }

    /// How many nibbles of some bytes could be metadata.
    ///
    /// @param nibbles   how many there are
    /// @param ordered   those that name two places in order, as 2:4 has them
    /// @param unordered those that name two places the other way round
    /// @param halves    those that 1:2 has
    /// @param masks     those with two bits set
    public record Nibbles(long nibbles, long ordered, long unordered, long halves, long masks) {
        /// What they look like.
        public String verdict() {
            if (nibbles == 0) {
                return "empty";
            }
            if (halves == nibbles) {
                return "metadata of 1:2 (or of 2:4 with few places)";
            }
            if (ordered == nibbles) {
                return "ordered metadata of 2:4";
            }
            if (ordered + unordered == nibbles) {
                return "unordered metadata of 2:4: not for ::ordered_metadata";
            }
            if (masks == nibbles) {
                return "a bitmask of 2:4";
            }
            return "no metadata: %d of %d nibbles name no two places"
                    .formatted(nibbles - ordered - unordered, nibbles);
        }
    }

    /// Looks at bytes that may be metadata.
    public static Nibbles nibbles(MemorySegment bytes) {
        long[] counts = new long[16];
        for (long at = 0; at < bytes.byteSize(); at++) {
            int pair = bytes.get(ValueLayout.JAVA_BYTE, at);
            counts[pair & 0xf]++;
            counts[pair >> 4 & 0xf]++;
        }
        long ordered = 0;
        long unordered = 0;
        long masks = 0;
        for (int nibble = 0; nibble < 16; nibble++) {
            int first = nibble & 3;
            int second = nibble >> 2;
            ordered += first < second ? counts[nibble] : 0;
            unordered += first > second ? counts[nibble] : 0;
            masks += Integer.bitCount(nibble) == 2 ? counts[nibble] : 0;
        }
        return new Nibbles(
                bytes.byteSize() * 2, ordered, unordered, counts[0b0100] + counts[0b1110], masks);
    }

    /// The formats that some bytes can be in, as far as sizes and metadata tell; where
    /// the dense matrix is known, only those that mean it.
    ///
    /// @param type  what the matrix is
    /// @param bytes elements and metadata, one behind the other
    /// @param known the matrix itself
    public static List<StorageFormat> candidates(
            MatrixType type, MemorySegment bytes, Optional<StoredMatrix> known) {
        List<StorageFormat> candidates = new ArrayList<>();
        for (StorageFormat format : StorageFormats.all()) {
            if (!format.formats().contains(type.format())) {
                continue;
            }
            StoredMatrix dense;
            try {
                StoredMatrix stored = StoredMatrix.of(format, type, bytes);
                dense = StoredMatrix.allocate(StorageFormats.named("dense"), type);
                new MatrixConversion(stored, dense).run();
            } catch (InputException e) {
                continue;
            }
            if (known.isEmpty() || otherSigns(dense, known.get()).isPresent()) {
                candidates.add(format);
            }
        }
        return candidates;
    }

    /// How many zeros of two dense matrices of one type differ in sign: a product of weights and a
    /// mask has many a -0, for which a full chunk has no room.
    ///
    /// @return empty if anything else differs
    public static OptionalLong otherSigns(StoredMatrix one, StoredMatrix other) {
        if (one.values().mismatch(other.values()) < 0) {
            return OptionalLong.of(0);
        }
        Magnitudes left = new Magnitudes(one);
        Magnitudes right = new Magnitudes(other);
        long signs = 0;
        for (int row = 0; row < one.type().rows(); row++) {
            Codes here = left.row(row);
            Codes there = right.row(row);
            for (int column = 0; column < one.type().columns(); column++) {
                if (here.bits(column) != there.bits(column)) {
                    if (here.toDouble(column) != 0 || there.toDouble(column) != 0) {
                        return OptionalLong.empty();
                    }
                    signs++;
                }
            }
        }
        return OptionalLong.of(signs);
    }

    /// The formats as whose metadata some bytes name every element other than zero of a matrix.
    ///
    /// @param known dense
    /// @param bytes metadata alone
    public static List<StorageFormat> metadataOf(StoredMatrix known, MemorySegment bytes) {
        return StorageFormats.all().stream()
                .filter(
                        format ->
                                !format.dense() && format.formats().contains(known.type().format()))
                .filter(format -> names(format, known, bytes))
                .toList();
    }

    private static boolean names(StorageFormat format, StoredMatrix known, MemorySegment bytes) {
        MatrixType type = known.type();
        try {
            if (bytes.byteSize() != StoredMatrix.metadataBytes(format, type)) {
                return false;
            }
            // Stored elements that are ones, so that every place which the metadata names is seen
            MemorySegment ones =
                    MemorySegment.ofArray(
                            new byte[Math.toIntExact(StoredMatrix.valueBytes(format, type))]);
            ones.fill((byte) 0x11);
            StoredMatrix named = StoredMatrix.allocate(known.format(), type);
            new MatrixConversion(new StoredMatrix(format, type, ones, bytes), named).run();
            return covers(named, known);
        } catch (InputException e) {
            return false;
        }
    }

    private static boolean covers(StoredMatrix named, StoredMatrix known) {
        Magnitudes places = new Magnitudes(named);
        Magnitudes values = new Magnitudes(known);
        for (int row = 0; row < known.type().rows(); row++) {
            Codes place = places.row(row);
            Codes value = values.row(row);
            for (int column = 0; column < known.type().columns(); column++) {
                if (value.toDouble(column) != 0 && place.bits(column) == 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Whether elements of a format are likely to be metadata rather than values.
    public static boolean maybeMetadata(Format format) {
        return format instanceof IntegerFormat && format.bits() >= 8 && format.bits() <= 32;
    }
}
