package dev.heddle.tensorcore.kernel;

import dev.heddle.tensorcore.numerics.Accumulation.BitCount;

/// Single-bit products element by element, whole words at a time.
record BitElements(Places places, BitCount rule) implements ElementKernel.Element {
    /// @throws IllegalArgumentException if 32 neighbours along k do not share a word, in order
    BitElements {
        requireWholeWords(places.a());
        requireWholeWords(places.b());
    }

    private static void requireWholeWords(Placement placement) {
        for (int at = 0; at < placement.word().length; at++) {
            if (placement.bit()[at] != at % Integer.SIZE
                    || placement.word()[at] != placement.word()[at - at % Integer.SIZE]) {
                throw new IllegalArgumentException(
                        "single-bit elements that do not fill words in order");
            }
        }
    }

    @Override
    public long code(Inputs in, int row, int column) {
        int count = in.accumulate() ? places.c().load(in.c(), row, column) : 0;
        for (int k = 0; k < places.a().minors(); k += Integer.SIZE) {
            int a = places.a().load(in.a(), row, k);
            int b = places.b().load(in.b(), column, k);
            count +=
                    Integer.bitCount(
                            switch (rule.operation()) {
                                case AND -> a & b;
                                case XOR -> a ^ b;
                            });
        }
        return count & 0xFFFF_FFFFL;
    }
}
