package dev.heddle.explorer.code;

import dev.heddle.formats.Packing;
import dev.heddle.isa.Form;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Role;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The function of the host that makes the stored half of a sparse A, and its metadata words, from
/// all of A.
///
/// It handles units: what is kept or dropped together, an element, or of 4-bit types the byte with
/// two of them.
///
/// @param form     a sparse form
/// @param metadata its metadata
record SparsePacking(Form form, Metadata metadata) {

    static SparsePacking of(Form form) {
        return new SparsePacking(form, form.metadata().orElseThrow());
    }

    private Granularity granularity() {
        return metadata.granularity();
    }

    /// Units of a chunk: 4, or 2 of tf32.
    private int width() {
        return granularity().width() / granularity().unit();
    }

    private int kept() {
        return granularity().stored() / granularity().unit();
    }

    private String unit() {
        boolean padded = form.padded();
        Packing packing =
                padded ? Packing.padded(form.type(Role.A)) : Packing.dense(form.type(Role.A));
        return "uint%d_t".formatted(packing.containerBits() * granularity().unit());
    }

    /// The nibble that keeps the units of a set: the least of those with increasing indices that
    /// do, 0 if none does.
    private int nibble(int units) {
        for (int nibble : granularity().nibbles(true)) {
            int keeps = 0;
            for (int index = 0; index < granularity().stored(); index++) {
                keeps |= 1 << granularity().column(nibble, index) / granularity().unit();
            }
            if ((units & ~keeps) == 0) {
                return nibble;
            }
        }
        return 0;
    }

    private String nibbles() {
        List<Integer> nibbles = IntStream.range(0, 1 << width()).mapToObj(this::nibble).toList();
        return nibbles.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /// Which units of the chunk are not zero, as a set of bits.
    private String present() {
        return IntStream.range(0, width())
                .mapToObj(
                        i -> i == 0 ? "(chunk[0] != 0)" : "(chunk[%d] != 0) << %d".formatted(i, i))
                .collect(Collectors.joining(" | "));
    }

    private String copies() {
        return granularity() == Granularity.ONE_OF_TWO
                ? "            *to = from[nibble >> 3];\n"
                : """
                            to[0] = from[nibble & 3];
                            to[1] = from[nibble >> 2];
                """;
    }

    /// The functions.
    String text() {
        String unit = unit();
        int row = form.shape().k() / granularity().unit();
        String suppliers =
                metadata.selectors() == 1
                        ? ""
                        : "        if (e_selector(lane) != 0) continue; // supplies nothing under"
                                + " selector 0\n";
        return IndexArithmetic.coordinates(form, OperandName.E, "constexpr")
                + """

                // The places of a chunk that are not zero, as a set of bits.
                static unsigned present(const %s* chunk) {
                    return %s;
                }
                """
                        .formatted(unit, present())
                + """

                // All of A by rows, %d x %d, to its stored half and the word of each lane: %s
                // are kept%s. False if a chunk has more than that other than zero.
                bool compress(const %s* A, %s* stored, unsigned (&E)[%d]) {
                    // What a nibble must be to keep the places whose bits are set; 0: too many.
                    static const unsigned nibbles[%d] = {%s};
                    for (int lane = 0; lane < %d; lane++) {
                        E[lane] = 0;
                %s        for (int i = 0; i < 8; i++) {
                            int row = e_row(lane, i), chunk = e_chunk(lane, i);
                            const %s* from = A + row * %d + chunk * %d;
                            unsigned nibble = nibbles[present(from)];
                            if (nibble == 0) return false;
                            %s* to = stored + row * %d + chunk * %d;
                %s            E[lane] |= nibble << 4 * i;
                        }
                    }
                    return true;
                }
                """
                        .formatted(
                                form.shape().m(),
                                form.shape().k(),
                                granularity().allowance(),
                                granularity().unit() > 1 ? ", each pair a byte" : "",
                                unit,
                                unit,
                                metadata.lanes(),
                                1 << width(),
                                nibbles(),
                                metadata.lanes(),
                                suppliers,
                                unit,
                                row,
                                width(),
                                unit,
                                row / width() * kept(),
                                kept(),
                                copies());
    }
}
