package dev.heddle.isa;

import static dev.heddle.layout.Axis.BYTE;
import static dev.heddle.layout.Axis.CHUNK;
import static dev.heddle.layout.Axis.LANE;
import static dev.heddle.layout.Axis.ROW;
import static dev.heddle.layout.Axis.SELECTOR;
import static dev.heddle.layout.Axis.THREAD;

import dev.heddle.formats.Format;
import dev.heddle.layout.BitLayout;
import dev.heddle.layout.Point;

import java.util.List;
import java.util.stream.IntStream;

/// The scale factors of A or B under `.block_scale`: one byte each, in the registers `scale-a-data`
/// and `scale-b-data`.
///
/// `vectors` factors share a row of A (a column of B), each scaling `K / vectors` neighbours along
/// K. The operand's `{byte-id, thread-id}` pick which lanes of a quad supply them, and in which
/// bytes.
///
/// @param role    A or B
/// @param format  ue8m0 or ue4m3
/// @param vectors 1, 2 or 4: `.scale_vec::1X`, `2X`, `4X`
/// @param span    columns of A (rows of B) that one factor scales
/// @param layout  (lane, byte) to (row of A or column of B as row, factor as chunk, byte-id as
///                selector in units of `vectors`, thread-id as thread)
/// @param source  where the manual gives it
public record ScaleFactors(
        Role role, Format format, int vectors, int span, BitLayout layout, Citation source) {

    /// One factor.
    ///
    /// @param line   row of A or column of B
    /// @param vector which of the factors along K
    public record Factor(int line, int vector) {}

    /// A byte of one lane's register.
    ///
    /// @param lane 0..31
    /// @param index 0..3, from the low end
    public record Supplier(int lane, int index) {
        /// The lowest bit of the byte.
        public int bitLow() {
            return 8 * index;
        }

        /// The highest bit of the byte.
        public int bitHigh() {
            return 8 * index + 7;
        }
    }

    static ScaleFactors of(Role role, Format format, int vectors, int k) {
        String bytes =
                switch (vectors) {
                    case 1 -> "selector = byte1 byte0";
                    case 2 -> "chunk = byte0; selector = byte1";
                    default -> "chunk = byte1 byte0";
                };
        String lanes =
                role == Role.A
                        ? "row = lane0 lane4 lane3 lane2; thread = lane1; "
                        : "row = lane4 lane3 lane2; thread = lane1 lane0; ";
        return new ScaleFactors(
                role,
                format,
                vectors,
                k / vectors,
                BitLayout.parse(lanes + bytes),
                new Citation("9.7.14.3", role == Role.A ? "43, 45" : "44, 45"));
    }

    /// The legal byte-ids: 0..3, {0, 2}, or 0.
    public List<Integer> byteIds() {
        return IntStream.range(0, 4 / vectors).map(id -> id * vectors).boxed().toList();
    }

    /// The legal thread-ids: 0..1 for A, 0..3 for B.
    public List<Integer> threadIds() {
        return IntStream.range(0, layout.extent(THREAD)).boxed().toList();
    }

    /// Rows of A or columns of B.
    public int lines() {
        return layout.extent(ROW);
    }

    /// The byte that supplies a factor.
    ///
    /// @param byteId   one of [#byteIds]
    /// @param threadId one of [#threadIds]
    public Supplier supplier(Factor factor, int byteId, int threadId) {
        Point at =
                layout.inverse()
                        .apply(
                                Point.of(ROW, factor.line, CHUNK, factor.vector)
                                        .with(SELECTOR, byteId / vectors)
                                        .with(THREAD, threadId));
        return new Supplier(at.get(LANE), at.get(BYTE));
    }
}
