package dev.heddle.isa;

import static dev.heddle.layout.Axis.CHUNK;
import static dev.heddle.layout.Axis.LANE;
import static dev.heddle.layout.Axis.ROW;
import static dev.heddle.layout.Axis.SELECTOR;
import static dev.heddle.layout.Axis.SLOT;
import static dev.heddle.layout.Axis.WARP;

import dev.heddle.isa.rule.Rule;
import dev.heddle.layout.BitLayout;
import dev.heddle.layout.Point;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The sparsity metadata operand: which bits of which lane's word describe which chunk of A.
///
/// A word is eight 4-bit slots; slot `s` is bits `4s+3 .. 4s`. Under one selector only some lanes
/// supply metadata; the words of the others are ignored.
///
/// @param layout      (lane, slot, warp) to (row, chunk, selector)
/// @param granularity what a chunk is
/// @param ordered     whether the indices of a chunk must increase
/// @param selectors   how many selectors the form has: 4, 2 or 1
/// @param source      where the manual gives it
public record Metadata(
        BitLayout layout,
        Granularity granularity,
        boolean ordered,
        int selectors,
        Citation source) {

    /// 4-bit fields in a word.
    public static final int SLOTS = 8;

    /// A chunk of A that a slot describes.
    ///
    /// @param row   row of A
    /// @param chunk chunk of that row
    public record Chunk(int row, int chunk) {}

    /// A 4-bit field of one lane's word.
    ///
    /// @param lane the supplying lane, 0..31; 0..127 in a warpgroup
    /// @param slot 0..7
    public record Nibble(int lane, int slot) {
        /// The lowest bit of the field.
        public int bitLow() {
            return 4 * slot;
        }

        /// The highest bit of the field.
        public int bitHigh() {
            return 4 * slot + 3;
        }

        /// The field's value in its lane's word.
        public int of(int word) {
            return word >>> bitLow() & 0xF;
        }
    }

    /// The four maps there are, most significant bit first. They restate figures 119 to 147 and 176
    /// to 181; `golden/` confirms them on sm_90.
    static BitLayout layout(int elementBits, int chunksOfRow, boolean warpgroup) {
        String rows = elementBits >= 16 ? "slot2 lane4 lane3 lane2" : "lane0 lane4 lane3 lane2";
        String chunks = elementBits >= 16 ? "slot1 slot0" : "slot2 slot1 slot0";
        String more =
                switch (chunksOfRow) {
                    case 4 -> "; selector = lane1 lane0";
                    case 8 -> "; selector = lane1";
                    default -> "";
                };
        if (elementBits >= 16 && chunksOfRow == 8) {
            chunks = "lane0 " + chunks;
        }
        if (chunksOfRow == 16) {
            chunks = "lane1 " + chunks;
        }
        String warps = warpgroup ? "warp1 warp0 " : "";
        return BitLayout.parse("row = " + warps + rows + "; chunk = " + chunks + more);
    }

    /// The legal selectors, from 0.
    public List<Integer> selectorValues() {
        return IntStream.range(0, selectors).boxed().toList();
    }

    /// The lanes whose words count under a selector, in order.
    ///
    /// @throws IndexOutOfBoundsException if the form has no such selector
    public List<Integer> suppliers(int selector) {
        check(selector);
        return IntStream.range(0, lanes())
                .filter(lane -> at(lane, 0).get(SELECTOR) == selector)
                .boxed()
                .toList();
    }

    /// The chunk that a slot of a lane's word describes, whatever the selector.
    public Chunk chunk(Nibble nibble) {
        Point at = at(nibble.lane(), nibble.slot());
        return new Chunk(at.get(ROW), at.get(CHUNK));
    }

    /// The nibble that describes a chunk under a selector.
    ///
    /// @throws IndexOutOfBoundsException if there is no such chunk or selector
    public Nibble nibble(Chunk chunk, int selector) {
        check(selector);
        if (chunk.row < 0 || chunk.row >= layout.extent(ROW)) {
            throw new IndexOutOfBoundsException(
                    "row " + chunk.row + ": expected 0.." + (layout.extent(ROW) - 1));
        }
        if (chunk.chunk < 0 || chunk.chunk >= layout.extent(CHUNK)) {
            throw new IndexOutOfBoundsException(
                    "chunk " + chunk.chunk + ": expected 0.." + (layout.extent(CHUNK) - 1));
        }
        Point at =
                layout.inverse()
                        .apply(
                                Point.of(ROW, chunk.row, CHUNK, chunk.chunk)
                                        .with(SELECTOR, selector));
        return new Nibble(at.get(WARP) << 5 | at.get(LANE), at.get(SLOT));
    }

    /// Chunks in a row of A.
    public int chunks() {
        return layout.extent(CHUNK);
    }

    /// Rows of A.
    public int rows() {
        return layout.extent(ROW);
    }

    /// Lanes that hold a word, whether it counts or not: 32, or 128 of a warpgroup.
    public int lanes() {
        return 32 * layout.extent(WARP);
    }

    /// The nibbles that the manual defines for this form.
    public List<Integer> validNibbles() {
        return granularity.nibbles(ordered);
    }

    /// The rule that makes a nibble undefined; empty if it is defined.
    ///
    /// @param nibble 0..15
    public Optional<Rule> brokenBy(int nibble) {
        return validNibbles().contains(nibble)
                ? Optional.empty()
                : Optional.of(granularity.brokenBy(nibble));
    }

    private Point at(int lane, int slot) {
        return layout.apply(Point.of(LANE, lane & 31, SLOT, slot).with(WARP, lane >> 5));
    }

    private void check(int selector) {
        if (selector < 0 || selector >= selectors) {
            throw new IndexOutOfBoundsException(
                    "selector "
                            + selector
                            + ": expected "
                            + (selectors == 1 ? "0" : "0.." + (selectors - 1)));
        }
    }
}
