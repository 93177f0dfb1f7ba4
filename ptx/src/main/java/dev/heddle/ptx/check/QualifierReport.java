package dev.heddle.ptx.check;

import dev.heddle.isa.Notation.Choice;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.FormReader;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionForm.Slot;
import dev.heddle.ptx.instruction.InstructionTable;
import dev.heddle.ptx.instruction.OpcodePrefixes;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Says what is wrong with the qualifiers of an instruction that fits none of its forms, measured
/// by the nearest one.
///
/// @param head the opcode with the qualifiers that belong to it
/// @param nearest how the qualifiers fill the form that they fit best
/// @param forms all forms of this head
record QualifierReport(
        Instruction instruction,
        String head,
        FormMatch nearest,
        List<InstructionForm> forms,
        Reporter reporter) {
    private static final int MOST_LISTED = 16;

    void report() {
        List<FormMatch> longer = longerOpcodes();
        if (!longer.isEmpty()) {
            Set<String> words = new TreeSet<>();
            for (FormMatch binding : longer) {
                words.add(binding.form().head().substring(instruction.opcode().length()));
            }
            lacks(
                    words,
                    longer.stream()
                            .filter(binding -> binding.form().head().endsWith(".lo"))
                            .findFirst()
                            .orElse(longer.getFirst()));
            return;
        }
        nearest.unplaced().forEach(this::surplus);
        if (nearest.unplaced().isEmpty()) {
            missing();
        }
    }

    /// Forms that all qualifiers fit, of opcodes that one more word makes: `mul.lo` for
    /// `mul`.
    private List<FormMatch> longerOpcodes() {
        List<FormMatch> found = new ArrayList<>();
        if (head.equals(instruction.opcode())) {
            for (String longer : InstructionTable.headsOf(head)) {
                for (InstructionForm form : InstructionTable.of(longer)) {
                    FormMatch binding = FormMatch.of(form, instruction.qualifiers());
                    if (!longer.equals(head) && binding.fits()) {
                        found.add(binding);
                    }
                }
            }
        }
        return found;
    }

    private void surplus(String word) {
        if (!InstructionTable.isQualifier(word) && !FormReader.isType(word)) {
            String near = SymbolScope.nearest(word, InstructionTable.qualifiers());
            add(
                    "unknown-qualifier",
                    word,
                    near.isEmpty() ? "leave it out" : "did you mean ." + near + "?");
            return;
        }
        Choice beside = nearest.filledInsteadOf(word);
        if (beside != null && beside.word().equals(word)) {
            add("repeated-qualifier", word, instruction);
        } else if (beside != null) {
            add("qualifier-not-allowed.beside", word, instruction, beside.word());
        } else {
            add("qualifier-not-allowed", word, instruction, instead(word));
        }
    }

    private String instead(String word) {
        String sibling = sibling();
        if (!sibling.isEmpty()) {
            return "write " + sibling;
        }
        for (Slot slot : nearest.missing()) {
            if (slot.choice(word) != null) {
                return "move it ahead: the order of state spaces counts";
            }
            boolean suits = slot.type() == FormReader.isType(word);
            if (suits && slot.choices().size() <= MOST_LISTED) {
                return "write " + listed(words(slot)) + " instead";
            }
        }
        if (StateSpace.of(word) != null) {
            for (Slot slot : nearest.form().slots()) {
                if (StateSpace.of(slot.choices().getFirst().word()) != null) {
                    return "write " + listed(words(slot)) + " instead";
                }
            }
        }
        Set<String> types = typesWith(word);
        return types.isEmpty() || types.size() > MOST_LISTED
                ? "leave it out"
                : "leave it out; it stands with " + listed(types);
    }

    /// The mnemonic of the same page that all qualifiers fit, in whatever order, one of this opcode
    /// before others, or an empty text: `fence.proxy.async` for `membar.proxy.async`,
    /// `barrier.red.aligned.popc.u32` for `barrier.aligned.red.popc.u32`.
    private String sibling() {
        String found = "";
        for (InstructionForm form : InstructionTable.all()) {
            List<String> head = List.of(form.head().split("\\.", -1));
            List<String> rest = new ArrayList<>(instruction.qualifiers());
            boolean fits = form.section().equals(nearest.form().section());
            for (String word : head.subList(1, head.size())) {
                fits &= rest.remove(word);
            }
            FormMatch match = FormMatch.of(form, rest);
            if (fits && match.fits()) {
                if (head.getFirst().equals(instruction.opcode())) {
                    return match.mnemonic();
                }
                found = match.mnemonic();
            }
        }
        return found;
    }

    /// The types of the forms of this head that take a qualifier, where each form has one type.
    private Set<String> typesWith(String word) {
        Set<String> types = new TreeSet<>();
        for (InstructionForm form : forms) {
            List<Slot> typed = form.slots().stream().filter(Slot::type).toList();
            if (typed.size() != 1) {
                continue;
            }
            boolean takes = form.slots().stream().anyMatch(slot -> slot.choice(word) != null);
            if (takes && !typed.contains(slotOf(form, word))) {
                types.addAll(words(typed.getFirst()));
            }
        }
        return types;
    }

    private static Slot slotOf(InstructionForm form, String word) {
        return form.slots().stream()
                .filter(slot -> slot.choice(word) != null)
                .findFirst()
                .orElseThrow();
    }

    private void missing() {
        Set<String> words = new TreeSet<>();
        for (InstructionForm other : forms) {
            FormMatch near = FormMatch.of(other, rest());
            if (near.unplaced().isEmpty() && near.distance() == nearest.distance()) {
                words.addAll(words(near.missing().getFirst()));
            }
        }
        lacks(words, nearest);
    }

    private void lacks(Set<String> words, FormMatch example) {
        boolean types = words.stream().allMatch(word -> FormReader.isType(word.substring(1)));
        reporter.report(
                Problem.of(
                        "missing-qualifier",
                        instruction,
                        (types && words.size() > 1 ? "its type: " : "") + listed(words),
                        (words.size() > 1 ? "for example " : "") + example.example()),
                example.form().section());
    }

    private List<String> rest() {
        int inHead = OpcodePrefixes.count(instruction.opcode(), instruction.qualifiers());
        return instruction.qualifiers().subList(inHead, instruction.qualifiers().size());
    }

    private static List<String> words(Slot slot) {
        return slot.choices().stream().map(choice -> "." + choice.word()).toList();
    }

    private static String listed(Iterable<String> words) {
        List<String> list = new ArrayList<>();
        words.forEach(list::add);
        if (list.size() == 1) {
            return list.getFirst();
        }
        return String.join(", ", list.subList(0, list.size() - 1)) + " or " + list.getLast();
    }

    private void add(String wording, String word, Object... more) {
        reporter.report(
                Problem.of(wording, Problem.word(instruction, word), more),
                nearest.form().section());
    }
}
