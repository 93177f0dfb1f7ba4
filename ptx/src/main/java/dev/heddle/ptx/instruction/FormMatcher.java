package dev.heddle.ptx.instruction;

import dev.heddle.ptx.Instruction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How the qualifiers of instructions fill the forms of the table, found once for each mnemonic of
/// a module: kernels of thousands of lines have some hundred.
public final class FormMatcher {

    /// The forms for one mnemonic.
    ///
    /// @param head the opcode with the qualifiers that belong to it
    /// @param forms all forms of that head; none where the table has no such instruction
    /// @param fitting how the qualifiers fill those they fit
    /// @param nearest how they fill the form they fit best, or null where there are no forms
    /// @param open the form that leaves its qualifiers and operands open, or null
    public record Match(
            String head,
            List<InstructionForm> forms,
            List<FormMatch> fitting,
            @Nullable FormMatch nearest,
            @Nullable FormMatch open) {

        /// Whether it is of a product, `mma` or `wgmma.mma_async`: [dev.heddle.isa.Manual] has
        /// their forms.
        public boolean isProduct() {
            return open != null
                    && switch (open.form().kind()) {
                        case MATRIX_MULTIPLY, WARPGROUP_MULTIPLY -> true;
                        default -> false;
                    };
        }
    }

    private final Map<String, Match> found = new HashMap<>();

    /// The forms for the mnemonic of an instruction.
    public Match of(Instruction instruction) {
        return found.computeIfAbsent(instruction.mnemonic(), _ -> match(instruction));
    }

    private static Match match(Instruction instruction) {
        int inHead = OpcodePrefixes.count(instruction.opcode(), instruction.qualifiers());
        String head = head(instruction, inHead);
        List<InstructionForm> forms = InstructionTable.of(head);
        List<String> qualifiers =
                instruction.qualifiers().subList(inHead, instruction.qualifiers().size());
        List<FormMatch> fitting = new ArrayList<>();
        FormMatch nearest = null;
        for (InstructionForm form : forms) {
            FormMatch filled = FormMatch.of(form, qualifiers);
            if (filled.fits()) {
                fitting.add(filled);
            }
            if (nearest == null || filled.distance() < nearest.distance()) {
                nearest = filled;
            }
        }
        InstructionForm open = forms.isEmpty() ? InstructionTable.open(head) : null;
        return new Match(
                head,
                forms,
                fitting,
                nearest,
                open == null ? null : FormMatch.open(open, instruction.qualifiers()));
    }

    private static String head(Instruction instruction, int inHead) {
        StringBuilder head = new StringBuilder(instruction.opcode());
        for (String word : instruction.qualifiers().subList(0, inHead)) {
            head.append('.').append(word);
        }
        return head.toString();
    }
}
