package dev.heddle.vm.ir;

import dev.heddle.formats.Counted;
import dev.heddle.ptx.Demangler;

/// Bytes of shared memory behind a variable that are nobody's: what accesses them has run over its
/// end.
///
/// @param from the first byte
/// @param to the byte behind the last
/// @param variable before it, as PTX declares it
/// @param bytes of the variable
public record SharedGap(int from, int to, String variable, long bytes) {
    /// The first whole word of it.
    public int firstWord() {
        return Math.ceilDiv(from, Integer.BYTES);
    }

    /// The word behind the last whole one, or the first where there is none.
    public int endWord() {
        return Math.max(firstWord(), to / Integer.BYTES);
    }

    /// Where an access lies that touches the gap: `in no variable: right behind the end of tile
    /// (256 bytes at 0x0)`.
    ///
    /// @param at its first byte
    /// @param size in bytes
    public String place(int at, int size) {
        String behind =
                "the end of %s (%s at 0x%x)"
                        .formatted(
                                Demangler.variableOf(variable), Counted.bytes(bytes), from - bytes);
        if (at < from) {
            return "of which %s behind %s".formatted(lying(at + size - from), behind);
        }
        return "in no variable: %s %s"
                .formatted(
                        at == from ? "right behind" : Counted.bytes(at - from) + " behind", behind);
    }

    /// `1 byte lies`, `4 bytes lie`.
    public static String lying(long bytes) {
        return Counted.bytes(bytes) + (bytes == 1 ? " lies" : " lie");
    }
}
