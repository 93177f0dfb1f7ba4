package dev.heddle.explorer;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// What of a form can be drawn: its matrices, its metadata, its scale factors.
public enum OperandName {
    /// The left multiplicand; of a sparse form its stored half.
    A,
    /// The right multiplicand.
    B,
    /// The addend.
    C,
    /// The result.
    D,
    /// The sparsity metadata.
    E,
    /// The scale factors of A.
    SFA,
    /// The scale factors of B.
    SFB;

    /// Reads `A`, `sfb`.
    ///
    /// @throws IllegalArgumentException if there is no such operand; the message lists them
    public static OperandName parse(String text) {
        return Arrays.stream(values())
                .filter(name -> name.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "unknown operand \""
                                                + text
                                                + "\": expected one of "
                                                + words(List.of(values()))));
    }

    /// The operands of a form that stand in registers, and can therefore be drawn by lane.
    public static List<OperandName> of(Form form) {
        return Arrays.stream(values()).filter(name -> name.inRegisters(form)).toList();
    }

    /// This operand, if the form holds it in registers.
    ///
    /// @throws IllegalArgumentException if it does not; the message lists those that it does
    public OperandName in(Form form) {
        if (inRegisters(form)) {
            return this;
        }
        boolean shared = form.family().warpgroup() && (this == A || this == B);
        throw new IllegalArgumentException(
                form
                        + (shared
                                ? " reads operand " + this + " from shared memory"
                                : " has no operand " + this)
                        + ": expected one of "
                        + words(of(form))
                        + " (PTX ISA "
                        + (shared ? "9.7.15.5.1.2" : form.syntax().section())
                        + ")");
    }

    /// `a`, `sfb`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    private boolean inRegisters(Form form) {
        return switch (this) {
            case A -> form.aSource() == ASource.REGISTERS;
            case B -> !form.family().warpgroup();
            case C, D -> true;
            case E -> form.sparse();
            case SFA, SFB -> form.blockScaled();
        };
    }

    private static String words(List<OperandName> names) {
        return names.stream().map(OperandName::name).collect(Collectors.joining(" "));
    }
}
