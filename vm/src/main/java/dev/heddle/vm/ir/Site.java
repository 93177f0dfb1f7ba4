package dev.heddle.vm.ir;

import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.instruction.InstructionKind;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The PTX instruction that a step came from.
///
/// @param number of the instruction in its program, from 0
/// @param kind which instruction of the manual it is
/// @param mnemonic the opcode with its qualifiers, as PTX writes it
/// @param position where it stands in the PTX file
/// @param section of the manual that has its syntax
/// @param source the `.loc` in force as `file:line`, or null
public record Site(
        int number,
        InstructionKind kind,
        String mnemonic,
        SourcePosition position,
        String section,
        @Nullable String source) {

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

    /// Whether this qualifier (without its dot) is among them.
    public boolean has(String qualifier) {
        int length = qualifier.length();
        for (int dot = mnemonic.indexOf('.'); dot >= 0; dot = mnemonic.indexOf('.', dot + 1)) {
            int end = dot + 1 + length;
            if (mnemonic.startsWith(qualifier, dot + 1)
                    && (end == mnemonic.length() || mnemonic.charAt(end) == '.')) {
                return true;
            }
        }
        return false;
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
