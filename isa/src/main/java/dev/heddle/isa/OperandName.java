package dev.heddle.isa;

import dev.heddle.formats.InputException;

import java.util.Locale;
import java.util.Optional;

/// The operands whose layout can be asked for.
public enum OperandName {
    A,
    B,
    C,
    D,
    /// The sparsity metadata.
    E,
    /// The scale factors of A.
    SFA,
    /// The scale factors of B.
    SFB;

    /// Reads `A` or `sfa`; `sp-meta`, `scale-a-data` and `scale-b-data` as the manual has them,
    /// too.
    ///
    /// @throws InputException if there is no such operand; the message lists them
    public static OperandName parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "a" -> A;
            case "b" -> B;
            case "c" -> C;
            case "d" -> D;
            case "e", "sp-meta" -> E;
            case "sfa", "scale-a-data" -> SFA;
            case "sfb", "scale-b-data" -> SFB;
            default ->
                    throw new InputException(
                            "unknown operand \"" + text + "\": expected A, B, C, D, E, SFA or SFB");
        };
    }

    /// The matrix that this operand is; empty for metadata and scale factors.
    public Optional<Role> role() {
        return ordinal() < 4 ? Optional.of(matrix()) : Optional.empty();
    }

    /// The matrix that this operand is, or says something of.
    public Role matrix() {
        return switch (this) {
            case A, E, SFA -> Role.A;
            case B, SFB -> Role.B;
            case C -> Role.C;
            case D -> Role.D;
        };
    }
}
