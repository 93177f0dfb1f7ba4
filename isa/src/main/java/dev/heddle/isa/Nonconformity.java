package dev.heddle.isa;

import java.util.List;

/// A chunk of A with more values other than zero than its granularity stores.
///
/// @param row         row of A
/// @param chunk       chunk of that row
/// @param granularity what a chunk may hold
/// @param values      the values of the whole chunk
/// @param section     the section of PTX ISA 9.1 that says so
public record Nonconformity(
        int row, int chunk, Granularity granularity, List<Double> values, String section) {
    public Nonconformity {
        values = List.copyOf(values);
    }

    /// `row 3, chunk 1 (columns 4..7) holds 1.0, 2.0, 0.0, 3.0; allowed by 2:4: …`
    @Override
    public String toString() {
        int first = chunk * granularity.width();
        return "row %s, chunk %s (columns %s..%s) holds %s; allowed by %s: %s other than zero [PTX ISA %s]"
                .formatted(
                        row,
                        chunk,
                        first,
                        first + granularity.width() - 1,
                        String.join(", ", values.stream().map(String::valueOf).toList()),
                        granularity,
                        granularity.allowance(),
                        section);
    }
}
