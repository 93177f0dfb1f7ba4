package dev.heddle.vm.ir;

import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.instruction.InstructionKind;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The PTX instruction that a step came from.
///
/// @param number of the instruction in its program, from 0
/// @param kind which instruction of the manual it is
/// @param mnemonic the opcode with its qualifiers, as PTX writes it
/// @param position where it is in the PTX file
/// @param section of the manual that has its syntax
/// @param marks of the words that checks ask for
/// @param source the `.loc` in force as `file:line`, or null
public record Site(
        int number,
        InstructionKind kind,
        String mnemonic,
        SourcePosition position,
        String section,
        Set<Mark> marks,
        @Nullable String source) {
    public Site {
        marks = Set.copyOf(marks);
    }

    /// What checks ask of an instruction, beyond its kind.
    public enum Mark {
        ALIGNED("aligned"),
        /// Of a load through the non-coherent cache.
        NON_COHERENT("nc"),
        RELAXED("relaxed"),
        /// Of an access to a parameter that is an array: structures are passed so.
        STRUCTURE,
        VOLATILE("volatile"),
        /// Of an access to values of 128 bits, which move as two halves and are one all the same.
        WHOLE;

        private final Set<String> words;

        Mark(String... words) {
            this.words = Set.of(words);
        }

        /// Those that qualifiers of an instruction say.
        public static Set<Mark> of(List<String> qualifiers) {
            return Arrays.stream(values())
                    .filter(mark -> qualifiers.stream().anyMatch(mark.words::contains))
                    .collect(Collectors.toSet());
        }
    }

    /// The first two words of the mnemonic, as `mbarrier.arrive`.
    public String operation() {
        int dot = mnemonic.indexOf('.', mnemonic.indexOf('.') + 1);
        return dot < 0 ? mnemonic : mnemonic.substring(0, dot);
    }

    /// The first word of the mnemonic.
    public String opcode() {
        int dot = mnemonic.indexOf('.');
        return dot < 0 ? mnemonic : mnemonic.substring(0, dot);
    }

    /// The other words of the mnemonic, without dots.
    public List<String> qualifiers() {
        List<String> words = List.of(mnemonic.split("[.]"));
        return words.subList(1, words.size());
    }

    /// Whether it says so of itself.
    public boolean is(Mark mark) {
        return marks.contains(mark);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Site site && site.number == number;
    }

    @Override
    public int hashCode() {
        return number;
    }

    @Override
    public String toString() {
        return position + " " + mnemonic;
    }
}
