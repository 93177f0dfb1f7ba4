package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.Granularity;
import dev.heddle.tensorcore.kernel.IntegerLayout.Expansion;
import dev.heddle.tensorcore.kernel.ProductLayout.Moves;
import dev.heddle.tensorcore.numerics.Accumulation.BitOperation;
import dev.heddle.tensorcore.numerics.Accumulation.Overflow;

import java.util.Optional;
import java.util.stream.IntStream;

/// The memory of an integer product.
final class IntegerMemory extends ProductMemory {
    private final IntegerLayout layout;

    private IntegerMemory(
            Overflow overflow,
            Optional<BitOperation> bits,
            IntegerFormat formatA,
            IntegerFormat formatB,
            Places places,
            int[] writes,
            Optional<Sparsity> sparsity) {
        int perWord = Integer.SIZE / formatA.bits();
        VectorTable a = VectorTable.rows(places.a(), words(places.a(), perWord), 0);
        VectorTable b = VectorTable.columns(places.b(), words(places.b(), perWord));
        int[] c = AccumulatorTable.of(places.c(), false).index();
        reach(a.index(), b.index(), c);
        int blocks = Math.ceilDiv(places.d().majors(), Lanes.COUNT);
        int words = places.b().minors() / perWord;
        int planeA = room(blocks * words);
        int stored = sparsity.isPresent() ? room(blocks * words / 2) : planeA;
        int vectorsOfB = b.index().length / Lanes.COUNT;
        int planeB = room(vectorsOfB);
        int planeC = room(blocks * places.d().minors());
        layout =
                new IntegerLayout(
                        overflow,
                        bits,
                        formatA,
                        formatB,
                        blocks,
                        places.d().minors(),
                        words,
                        sparsity.map(each -> expansion(each, places)).stream().toList(),
                        moves(a.index(), new int[0], stored),
                        moves(b.index(), new int[0], planeB),
                        bits.isPresent() ? planeB : room(vectorsOfB * Short.SIZE / formatB.bits()),
                        moves(c, new int[0], planeC),
                        moves(writes, new int[0], 0),
                        planeA,
                        planeC);
    }

    /// For operands of which each word has neighbours along k.
    static Optional<ProductMemory> of(
            Overflow overflow,
            Optional<BitOperation> bits,
            IntegerFormat formatA,
            IntegerFormat formatB,
            Places places,
            Optional<Sparsity> sparsity) {
        int perWord = Integer.SIZE / formatA.bits();
        if (formatA.bits() != formatB.bits()
                || !inWords(places.a(), perWord)
                || !inWords(places.b(), perWord)) {
            return Optional.empty();
        }
        return AccumulatorTable.of(places.d(), false)
                .written()
                .map(
                        writes ->
                                new IntegerMemory(
                                        overflow, bits, formatA, formatB, places, writes,
                                        sparsity));
    }

    private static boolean inWords(Placement placement, int perWord) {
        for (int at = 0; at < placement.word().length; at++) {
            int i = at % perWord;
            if (placement.word()[at] != placement.word()[at - i]
                    || placement.bit()[at] != i * Integer.SIZE / perWord) {
                return false;
            }
        }
        return placement.minors() % (2 * perWord) == 0;
    }

    /// The first element of each word along k.
    private static KOrder words(Placement placement, int perWord) {
        int[] first =
                IntStream.range(0, placement.minors() / perWord).map(i -> i * perWord).toArray();
        return new KOrder(first, new int[0]);
    }

    private Expansion expansion(Sparsity sparsity, Places places) {
        Moves first = metadata(places.metadata(), 0).getFirst();
        return new Expansion(
                first, IntStream.range(0, 16).mapToObj(each -> bytes(sparsity, each)).toList());
    }

    private static int bytes(Sparsity sparsity, int nibble) {
        Granularity granularity = sparsity.granularity();
        int bytes = 0;
        for (int place = 0; place < Integer.BYTES; place++) {
            int source = sparsity.legal(nibble) ? Expansion.NEITHER : Expansion.UNDEFINED;
            for (int i = 0; sparsity.legal(nibble) && i < 2; i++) {
                int unit = granularity.unit();
                if (granularity.column(nibble, i * unit) == place * unit) {
                    source = i;
                }
            }
            bytes |= source << place * Byte.SIZE;
        }
        return bytes;
    }

    @Override
    IntegerLayout layout() {
        return layout;
    }
}
