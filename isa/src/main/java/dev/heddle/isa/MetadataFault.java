package dev.heddle.isa;

import dev.heddle.isa.rule.Rule;

/// A nibble of metadata that the manual leaves undefined.
///
/// @param rule  the rule it breaks
/// @param place where it is
/// @param chunk what it describes
/// @param value 0..15
public record MetadataFault(Rule rule, Metadata.Nibble place, Metadata.Chunk chunk, int value) {

    /// `undefined behavior: lane 5, bits 15..12 (row 9, chunk 3) hold 0b1010: the two indices …`
    @Override
    public String toString() {
        return "%s: lane %s, bits %s..%s (slot %s; row %s, chunk %s) hold 0b%s: %s [%s, PTX ISA %s]"
                .formatted(
                        rule.verdict(),
                        place.lane(),
                        place.bitHigh(),
                        place.bitLow(),
                        place.slot(),
                        chunk.row(),
                        chunk.chunk(),
                        Integer.toBinaryString(16 | value).substring(1),
                        rule.text(),
                        rule.id(),
                        rule.section());
    }
}
