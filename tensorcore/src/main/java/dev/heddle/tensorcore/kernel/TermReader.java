package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.Format;
import dev.heddle.isa.Form;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.Role;

import java.util.Optional;

/// Reads the codes that make up one element of D, one by one, wherever they are.
final class TermReader {
    private final Places places;
    private final Format formatA;
    private final Format formatB;
    private final Format formatC;
    private final Optional<Sparsity> sparsity;
    private final long[] a;
    private final long[] b;

    private TermReader(
            Places places,
            Format formatA,
            Format formatB,
            Format formatC,
            Optional<Sparsity> sparsity) {
        this.places = places;
        this.formatA = formatA;
        this.formatB = formatB;
        this.formatC = formatC;
        this.sparsity = sparsity;
        this.a = new long[places.a().minors()];
        this.b = new long[places.a().minors()];
    }

    static TermReader of(Form form, Places places, Optional<Sparsity> sparsity) {
        return new TermReader(
                places, form.type(Role.A), form.type(Role.B), form.type(Role.C), sparsity);
    }

    /// Reads the codes of a row of A and of the elements of B that they multiply.
    void load(Inputs in, int row, int column) {
        for (int k = 0; k < a.length; k++) {
            a[k] = code(places.a(), in.a(), row, k, formatA);
            b[k] =
                    sparsity.isPresent()
                            ? chosen(sparsity.get(), in, row, column, k)
                            : code(places.b(), in.b(), column, k, formatB);
        }
    }

    private long chosen(Sparsity metadata, Inputs in, int row, int column, int k) {
        Granularity granularity = metadata.granularity();
        int chunk = k / granularity.stored();
        int first = chunk * granularity.width();
        int nibble = metadata.nibble(row, chunk);
        if (granularity == Granularity.ONE_OF_TWO && !metadata.legal(nibble)) {
            return half(in, column, first, nibble & 3)
                    | half(in, column, first, nibble >> 2) << Short.SIZE;
        }
        int which = granularity.column(nibble, k % granularity.stored());
        return code(places.b(), in.b(), column, first + which, formatB);
    }

    /// One of the four 16-bit halves of the two tf32 elements of a chunk: what sm_90 picks for each
    /// index of a nibble.
    private long half(Inputs in, int column, int first, int which) {
        long element = code(places.b(), in.b(), column, first + which / 2, formatB);
        return element >>> Short.SIZE * (which % 2) & 0xFFFF;
    }

    /// The codes of the row of A that was loaded.
    long[] a() {
        return a;
    }

    /// The codes of the elements of B that they multiply.
    long[] b() {
        return b;
    }

    /// The accumulator's code; zero where it takes no part.
    long c(Inputs in, int row, int column) {
        return in.accumulate() ? code(places.c(), in.c(), row, column, formatC) : 0;
    }

    private static long code(
            Placement placement, int[] words, int major, int minor, Format format) {
        return placement.code(words, major, minor, format.bits());
    }

    /// The scale factor of each stored element of a row of A.
    long[] scalesA(Inputs in, int row) {
        return scales(places.scaleA().orElseThrow(), in.scaleA(), row);
    }

    /// The scale factor of each element of a column of B that a row of A meets.
    long[] scalesB(Inputs in, int column) {
        return scales(places.scaleB().orElseThrow(), in.scaleB(), column);
    }

    private long[] scales(Placement placement, int[] words, int major) {
        long[] scales = new long[a.length];
        for (int k = 0; k < scales.length; k++) {
            scales[k] = placement.load(words, major, k * placement.minors() / scales.length) & 0xFF;
        }
        return scales;
    }
}
