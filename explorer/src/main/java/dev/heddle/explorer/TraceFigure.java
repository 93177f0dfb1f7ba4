package dev.heddle.explorer;

import dev.heddle.formats.Value;
import dev.heddle.tensorcore.numerics.Trace;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The terms of aligned sums, bit under bit: what is kept of each, and what is cut off.
///
/// @param trace the sums
/// @param name  what a term is called
record TraceFigure(Trace trace, Function<Trace.Source, String> name) {
    private static final int BIT = 8;
    private static final int LINE = 18;
    private static final int GAP = 14;
    private static final int MARGIN = 12;
    private static final double ADVANCE = 7.4;

    /// Bits that are drawn on either side of the place of truncation.
    private static final int KEPT = 72;

    private static final int CUT = 40;

    /// A line of the drawing.
    private record Row(String label, Value value) {}

    /// The lines of one sum, and the places between which they are drawn.
    ///
    /// @param high     the highest place
    /// @param low      the lowest place
    /// @param lastKept the lowest place that is kept; `low` if none is cut off
    private record Block(List<Row> terms, List<Row> results, int high, int low, int lastKept) {}

    /// The drawing; one without any lines if no sum is aligned.
    String svg() {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < trace.passes().size(); i++) {
            Trace.Pass pass = trace.passes().get(i);
            if (pass.alignment().isPresent()) {
                blocks.add(block(pass));
            }
        }
        int labels = blocks.stream().mapToInt(TraceFigure::labelWidth).max().orElse(0);
        int bits = blocks.stream().mapToInt(block -> block.high - block.low + 1).max().orElse(0);
        int width = MARGIN * 2 + labels + bits * BIT + 150;
        StringBuilder drawn = new StringBuilder();
        int y = MARGIN;
        for (Block block : blocks) {
            y = draw(block, MARGIN + labels, y, drawn) + GAP;
        }
        int height = blocks.isEmpty() ? 0 : y;
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"trace\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n%s</svg>\n"
                .formatted(
                        blocks.isEmpty() ? 0 : width,
                        height,
                        Math.max(width, 1),
                        Math.max(height, 1),
                        drawn);
    }

    private Block block(Trace.Pass pass) {
        List<Row> terms = new ArrayList<>();
        for (Trace.Term term : pass.terms()) {
            terms.add(new Row(name.apply(term.source()), term.exact()));
        }
        List<Row> results =
                List.of(new Row("kept, added", pass.sum()), new Row("rounded", pass.result()));
        int high = Integer.MIN_VALUE;
        int low = Integer.MAX_VALUE;
        for (List<Row> rows : List.of(terms, results)) {
            for (Row row : rows) {
                if (row.value instanceof Value.Finite finite && !finite.isZero()) {
                    high = Math.max(high, top(finite));
                    low = Math.min(low, bottom(finite));
                }
            }
        }
        if (high < low) {
            high = pass.alignment().orElseThrow();
            low = high;
        }
        Optional<Integer> last =
                pass.fractionBits().map(bits -> pass.alignment().orElseThrow() - bits);
        int lastKept = last.orElse(low);
        return new Block(
                terms,
                results,
                Math.min(high, lastKept + KEPT),
                Math.max(Math.min(low, lastKept), lastKept - CUT),
                lastKept);
    }

    private static int labelWidth(Block block) {
        int longest = 0;
        for (List<Row> rows : List.of(block.terms, block.results)) {
            for (Row row : rows) {
                longest = Math.max(longest, row.label.length());
            }
        }
        return (int) Math.ceil((longest + 3) * ADVANCE);
    }

    private static int top(Value.Finite value) {
        return value.exponent() + value.significand().bitLength() - 1;
    }

    private static int bottom(Value.Finite value) {
        return value.exponent() + value.significand().getLowestSetBit();
    }

    /// @return the y below the block
    private static int draw(Block block, int left, int top, StringBuilder svg) {
        int keptWidth = (block.high - block.lastKept + 1) * BIT;
        int cutWidth = (block.lastKept - block.low) * BIT;
        int body = top + LINE;
        int rows = block.terms.size() + block.results.size();
        int bottom = body + rows * LINE + 6;
        rectangle(svg, "kept", left, body, keptWidth, bottom - body);
        if (cutWidth > 0) {
            rectangle(svg, "cut", left + keptWidth, body, cutWidth, bottom - body);
        }
        for (int place = block.high; place >= block.low; place--) {
            if (Math.floorMod(place, 8) == 0) {
                text(
                        svg,
                        "place",
                        left + (block.high - place) * BIT + BIT / 2,
                        top + 11,
                        "2^" + place);
            }
        }
        int y = body;
        for (Row row : block.terms) {
            line(block, row, left, y, svg);
            y += LINE;
        }
        svg.append(
                "<path class=\"rule\" d=\"M%d %dH%d\"/>\n"
                        .formatted(left, y + 3, left + keptWidth + cutWidth));
        y += 6;
        for (Row row : block.results) {
            line(block, row, left, y, svg);
            y += LINE;
        }
        return y;
    }

    private static void line(Block block, Row row, int left, int y, StringBuilder svg) {
        int base = y + 13;
        text(svg, "label", left - 2 * BIT, base, row.label);
        if (!(row.value instanceof Value.Finite value) || value.isZero()) {
            text(svg, "bits", left, base, Numeral.of(row.value));
            return;
        }
        text(svg, "bits", left - BIT - 2, base, value.negative() ? "-" : "+");
        int first = Math.min(top(value), block.high);
        int last = Math.max(bottom(value), block.low);
        run(block, value, first, Math.max(last, block.lastKept), "bits", left, base, svg);
        run(block, value, Math.min(first, block.lastKept - 1), last, "bits lost", left, base, svg);
        text(svg, "value", left + (block.high - block.low + 1) * BIT + 8, base, Numeral.of(value));
    }

    /// The bits of a value from one place down to another, if there are any.
    private static void run(
            Block block,
            Value.Finite value,
            int first,
            int last,
            String type,
            int left,
            int y,
            StringBuilder svg) {
        if (first < last) {
            return;
        }
        BigInteger significand = value.significand();
        StringBuilder bits = new StringBuilder();
        for (int place = first; place >= last; place--) {
            int bit = place - value.exponent();
            bits.append(bit >= 0 && significand.testBit(bit) ? '1' : '0');
        }
        int count = bits.length();
        svg.append(
                "<text class=\"%s\" x=\"%d\" y=\"%d\" textLength=\"%d\">%s</text>\n"
                        .formatted(
                                type, left + (block.high - first) * BIT, y, count * BIT - 1, bits));
    }

    private static void rectangle(
            StringBuilder svg, String type, int x, int y, int width, int height) {
        svg.append(
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n"
                        .formatted(type, x, y, width, height));
    }

    private static void text(StringBuilder svg, String type, int x, int y, String text) {
        svg.append("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n".formatted(type, x, y, text));
    }
}
