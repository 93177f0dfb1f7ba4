package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.tensorcore.numerics.Accumulation.BitOperation;
import dev.heddle.tensorcore.numerics.Accumulation.Overflow;

import java.util.List;
import java.util.Optional;

/// What the machine code of an integer product depends on.
///
/// Elements stay in their words, each of which has neighbours along k, the same ones in A and B.
///
/// @param bits      of single bits, how two of them meet
/// @param k         words of a row of A, once it is dense
/// @param expansion for a sparse A, how it becomes a dense one
/// @param a         how A comes from the registers: a vector for each block of rows and word along
///     k
/// @param b         how B comes: of each eight columns, eight words for each word along k
/// @param parts     planes like that of B, in which each half of a word is one element; of single
///     bits, that of B
/// @param c         how C comes from the registers
/// @param d         how D goes there
/// @param planeA    A, dense
/// @param planeC    C, a vector for each block of rows and column, and later D
record IntegerLayout(
        Overflow overflow,
        Optional<BitOperation> bits,
        IntegerFormat formatA,
        IntegerFormat formatB,
        int blocks,
        int columns,
        int k,
        List<Expansion> expansion,
        Moves a,
        Moves b,
        int parts,
        Moves c,
        Moves d,
        int planeA,
        int planeC)
        implements ProductLayout {

    /// Where a sparse A has its bytes: a chunk has two of them, which the metadata place in a word
    /// of a dense A.
    ///
    /// @param metadata its nibbles, a vector for each block of rows and chunk
    /// @param bytes    for each nibble, which of the two is in each byte of that word,
    ///     [#NEITHER] or [#UNDEFINED]
    record Expansion(Moves metadata, List<Integer> bytes) {
        /// A byte that is zero: what `vpshufb` makes of it.
        static final int NEITHER = 0x80;

        /// In all bytes where the manual does not define the nibble.
        static final int UNDEFINED = 0x40;
    }

    @Override
    public int words() {
        return planeC;
    }

    /// How many elements share half a word.
    int perHalf() {
        return Short.SIZE / formatA.bits();
    }

    /// Bytes of a plane of B.
    int partStep() {
        return b.vectors() * Lanes.COUNT * Integer.BYTES;
    }
}
