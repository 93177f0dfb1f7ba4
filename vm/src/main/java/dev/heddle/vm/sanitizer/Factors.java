package dev.heddle.vm.sanitizer;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.Qualifier;
import dev.heddle.isa.Role;

import java.util.BitSet;

/// The elements of A and B of a product that undefined ones of the other are multiplied by. Of
/// integers, and of bits by `.and`, zero times whatever nobody wrote is zero. Of floating-point
/// numbers it is not, where that is an infinity or NaN; nor is `.xor` with zero.
final class Factors {
    private final boolean areZerosSeen;
    private final Line[] rows;
    private final Line[] columns;
    private final int chunk;
    private final int stored;

    /// A row of A or a column of B, along K.
    ///
    /// @param numbers elements that may be other than zero
    private record Line(BitSet undefined, BitSet numbers) {
        Line() {
            this(new BitSet(), new BitSet());
        }

        /// Whether an undefined element of it makes what comes of both lines undefined.
        boolean spoils(Line other, boolean areZerosSeen) {
            return areZerosSeen ? undefined.intersects(other.numbers) : !undefined.isEmpty();
        }
    }

    Factors(Form form) {
        areZerosSeen =
                form.type(Role.A) instanceof IntegerFormat
                        && !form.word(Qualifier.BIT_OPERATION).equals("xor");
        rows = lines(form.fragment(Role.D).computations() * form.shape().m());
        columns = lines(form.fragment(Role.D).computations() * form.shape().n());
        chunk = form.granularity().map(Granularity::width).orElse(1);
        stored = form.granularity().map(Granularity::stored).orElse(1);
    }

    private static Line[] lines(int count) {
        Line[] lines = new Line[count];
        for (int i = 0; i < count; i++) {
            lines[i] = new Line();
        }
        return lines;
    }

    /// An element. One of a sparse A may stand anywhere in its chunk.
    ///
    /// @param line its row of A, or its column of B
    /// @param at its place in there, of those that are stored
    void add(Role role, int line, int at, long value, long undefined) {
        Line into = role == Role.A ? rows[line] : columns[line];
        int width = role == Role.A ? chunk : 1;
        int from = role == Role.A ? at / stored * chunk : at;
        if (undefined != 0) {
            into.undefined.set(from, from + width);
        }
        if ((value | undefined) != 0) {
            into.numbers.set(from, from + width);
        }
    }

    /// Whether an undefined element of A makes an element of D undefined.
    boolean spoilsByRow(int row, int column) {
        return rows[row].spoils(columns[column], areZerosSeen);
    }

    /// Whether one of B does.
    boolean spoilsByColumn(int row, int column) {
        return columns[column].spoils(rows[row], areZerosSeen);
    }
}
