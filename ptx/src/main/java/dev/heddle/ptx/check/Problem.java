package dev.heddle.ptx.check;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.Variable;
import dev.heddle.ptx.instruction.BoundInstruction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Something wrong, not yet in words: another form may fit an operand better.
///
/// @param wording its name among those of [Wording]
/// @param about   what it is about, an operand say, which is where it is; and what else is said
/// @param notes   other places that matter
record Problem(String wording, List<Object> about, List<Diagnostic.Note> notes) {
    /// A part of the text that is no operand.
    ///
    /// @param text as it is there, or as wide
    record Spot(SourcePosition position, String text) {}

    static Problem of(String wording, Object subject, Object... more) {
        List<Object> about = new ArrayList<>(List.of(subject));
        about.addAll(Arrays.asList(more));
        return new Problem(wording, about, List.of());
    }

    /// A qualifier of an instruction.
    static Spot word(Instruction instruction, String qualifier) {
        return new Spot(instruction.positionOf(qualifier), "." + qualifier);
    }

    /// The same with a second place.
    Problem because(SourcePosition position, String why) {
        return new Problem(wording, about, List.of(new Diagnostic.Note(position, why)));
    }

    /// The finding, in words.
    ///
    /// @param usual the section of the manual where the wording names none; empty for the rule's
    Diagnostic diagnostic(String usual) {
        return switch (about.getFirst()) {
            case Operand at -> told(usual, at.position(), OperandExcerpt.width(at));
            case Instruction at -> told(usual, at.position(), at.mnemonic().length());
            case BoundInstruction at -> told(usual, at.position(), at.mnemonic().length());
            case Variable at -> told(usual, at.position(), at.name().length());
            case Spot at -> told(usual, at.position(), at.text().length());
            default -> throw new IllegalArgumentException(wording + " of " + about);
        };
    }

    private Diagnostic told(String usual, SourcePosition position, int width) {
        Wording words = Wording.of(wording);
        String section = words.section().isEmpty() ? usual : words.section();
        return new Diagnostic(
                words.rule(),
                position,
                width,
                Wording.filled(words.message(), about),
                Wording.filled(words.remedy(), about),
                section.isEmpty() ? words.rule().section() : section,
                notes);
    }
}
