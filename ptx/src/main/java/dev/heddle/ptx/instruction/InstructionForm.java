package dev.heddle.ptx.instruction;

import dev.heddle.isa.Notation.Choice;
import dev.heddle.isa.Requirement;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One syntax line of an instruction: which qualifiers are together, and which operands follow.
///
/// @param section of the manual
/// @param kind which instruction of the manual it is
/// @param head the opcode with the qualifiers that the assembler reads as part of it (`mul.wide`)
/// @param slots the places of the other qualifiers, in the manual's order
/// @param operands in order
/// @param requirement what the whole line asks for, or null
/// @param text as the table has it
public record InstructionForm(
        String section,
        InstructionKind kind,
        String head,
        List<Slot> slots,
        List<OperandForm> operands,
        @Nullable Requirement requirement,
        String text) {

    public InstructionForm {
        slots = List.copyOf(slots);
        operands = List.copyOf(operands);
    }

    /// Whether a qualifier may be among its words.
    public boolean offers(String qualifier) {
        return slots.stream().anyMatch(slot -> slot.choice(qualifier) != null);
    }

    /// A place for one qualifier.
    ///
    /// @param name of the set, or the qualifier itself where only one may appear here
    /// @param choices what may appear here
    /// @param optional whether nothing may
    /// @param group slots of one number (not 0) are filled together or not at all
    /// @param type whether types are here; they keep their order
    public record Slot(
            String name, List<Choice> choices, boolean optional, int group, boolean type) {
        public Slot {
            choices = List.copyOf(choices);
        }

        public @Nullable Choice choice(String word) {
            for (Choice choice : choices) {
                if (choice.word().equals(word)) {
                    return choice;
                }
            }
            return null;
        }
    }

    /// The place of one operand.
    ///
    /// @param name as the manual calls it
    /// @param type the rule for its type
    /// @param kind what may appear here
    /// @param presence whether it must
    /// @param condition the set or qualifier that decides, for [Presence#CONDITIONAL]
    /// @param relaxed whether a register may be wider than the type (9.4.1)
    /// @param vector whether it is a vector where a vector qualifier says so
    /// @param count how many elements the vector always has, or 0 where qualifiers say it
    /// @param sink whether `_` may appear here
    /// @param second the place right of a bar, or null
    /// @param selector which parts of a register it may name, or null
    /// @param negatable whether `-` may appear in front
    /// @param registers the types of registers that may stand for its type
    public record OperandForm(
            String name,
            String type,
            Kind kind,
            Presence presence,
            String condition,
            boolean relaxed,
            boolean vector,
            int count,
            boolean sink,
            @Nullable Second second,
            @Nullable Selector selector,
            boolean negatable,
            Registers registers) {

        /// Whether it is written to.
        public boolean isDestination() {
            return kind == Kind.VALUE && (name.equals("d") || name.equals("p"));
        }

        /// Whether it names the lanes of a warp that take part.
        public boolean isMemberMask() {
            return kind == Kind.VALUE && name.equals("m");
        }
    }

    /// The types of registers that may stand for an operand's type.
    public enum Registers {
        /// Those of its size and family (9.4).
        FAMILY,
        /// A pair of halves (`.f16x2`) for an integer of 32 bits, too: ptxas 13.0 takes it where
        /// the type is the instruction's own, and seldom where the manual fixes one.
        FAMILY_OR_PAIR,
        /// Any of its size, where the type is one that no register has (`.bf16x2`, `.e4m3x4`).
        SAME_SIZE,
        /// The type itself and bits of its size.
        EXACT
    }

    /// The second of two destinations: `d|p`.
    ///
    /// @param optional whether it may be left out
    public record Second(boolean optional) {}

    /// What may appear in an operand's place.
    public enum Kind {
        VALUE,
        CONSTANT,
        ADDRESS
    }

    /// Whether an operand must be there.
    public enum Presence {
        REQUIRED,
        OPTIONAL,
        CONDITIONAL
    }
}
