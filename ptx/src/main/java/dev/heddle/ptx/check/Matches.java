package dev.heddle.ptx.check;

import dev.heddle.ptx.GenericInstruction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How the qualifiers of instructions fill the forms of the table, found once for each mnemonic of
/// a module: kernels of thousands of lines have some hundred.
final class Matches {

    /// The forms for one mnemonic.
    ///
    /// @param head the opcode with the qualifiers that belong to it
    /// @param forms all forms of that head; none where the table has no such instruction
    /// @param fitting how the qualifiers fill those they fit
    /// @param nearest how they fill the form they fit best, or null where there are no forms
    record Match(String head, List<Form> forms, List<Binding> fitting, @Nullable Binding nearest) {}

    private final Map<String, Match> found = new HashMap<>();

    Match of(GenericInstruction instruction) {
        return found.computeIfAbsent(instruction.mnemonic(), _ -> match(instruction));
    }

    private static Match match(GenericInstruction instruction) {
        int inHead = Heads.count(instruction.opcode(), instruction.qualifiers());
        String head = head(instruction, inHead);
        List<Form> forms = Forms.of(head);
        List<String> qualifiers =
                instruction.qualifiers().subList(inHead, instruction.qualifiers().size());
        List<Binding> fitting = new ArrayList<>();
        Binding nearest = null;
        for (Form form : forms) {
            Binding binding = Binding.of(form, qualifiers);
            if (binding.fits()) {
                fitting.add(binding);
            }
            if (nearest == null || binding.distance() < nearest.distance()) {
                nearest = binding;
            }
        }
        return new Match(head, forms, fitting, nearest);
    }

    private static String head(GenericInstruction instruction, int inHead) {
        StringBuilder head = new StringBuilder(instruction.opcode());
        for (String word : instruction.qualifiers().subList(0, inHead)) {
            head.append('.').append(word);
        }
        return head.toString();
    }
}
