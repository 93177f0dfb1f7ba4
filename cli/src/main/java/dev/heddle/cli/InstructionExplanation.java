package dev.heddle.cli;

import dev.heddle.isa.Notation.Choice;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Requirement;
import dev.heddle.isa.Target;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionForm.Kind;
import dev.heddle.ptx.instruction.InstructionForm.OperandForm;
import dev.heddle.ptx.instruction.InstructionForm.Presence;
import dev.heddle.ptx.instruction.InstructionKind.Memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// An instruction that is no product in words: its syntax line, what it reads and writes, where it
/// exists, and how its result is known. All of it is in the table of instructions.
///
/// @param mnemonic the opcode with its qualifiers
/// @param match how they fill a syntax line
record InstructionExplanation(String mnemonic, FormMatch match) {

    private InstructionForm form() {
        return match.form();
    }

    private List<OperandForm> operands() {
        return form().operands().stream().filter(match::stands).toList();
    }

    /// The explanation for people.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(mnemonic);
        lines.add("  " + form().text());
        lines.add("  PTX ISA %s; needs %s".formatted(form().section(), needs()));
        lines.add("");
        for (OperandForm operand : operands()) {
            lines.add("  %-6s %s".formatted(name(operand), describe(operand)));
        }
        Memory memory = form().kind().memory();
        if (memory != Memory.NONE) {
            lines.add("  memory: " + words(memory));
        }
        lines.add("");
        lines.add("  fidelity: " + fidelity());
        return lines;
    }

    private static String name(OperandForm operand) {
        return operand.second() == null ? operand.name() : operand.name() + "|q";
    }

    private String describe(OperandForm operand) {
        List<String> parts = new ArrayList<>();
        ScalarType type = match.typeOf(operand);
        parts.add(
                switch (operand.kind()) {
                    case ADDRESS -> "read: an address";
                    case CONSTANT -> "a constant";
                    case VALUE -> operand.isDestination() ? "written" : "read";
                });
        if (type != null && operand.kind() != Kind.ADDRESS) {
            parts.add("." + type.keyword() + (operand.relaxed() ? " or a wider register" : ""));
        }
        int elements = operand.count() > 0 ? operand.count() : match.vector();
        if (operand.vector() && elements > 1) {
            parts.add(elements + " registers");
        }
        if (operand.presence() == Presence.OPTIONAL) {
            parts.add("may be left out");
        }
        return String.join(", ", parts);
    }

    private static String words(Memory memory) {
        return switch (memory) {
            case NONE -> "none";
            case READS -> "reads";
            case WRITES -> "writes";
            case UPDATES -> "reads and writes the same place";
            case COPIES -> "reads one place and writes another";
        };
    }

    /// Everything that it asks for: the line, and each of its words that asks for more.
    private List<Requirement> requirements() {
        List<Requirement> all = new ArrayList<>();
        Requirement own = form().requirement();
        if (own != null) {
            all.add(own);
        }
        for (Choice choice : match.demands()) {
            Requirement more = choice.requirement();
            if (more != null) {
                all.add(more);
            }
        }
        return all;
    }

    private String needs() {
        List<String> needs = requirements().stream().map(Requirement::toString).distinct().toList();
        return needs.isEmpty() ? "nothing: every target and version" : String.join("; ", needs);
    }

    /// What a module of this target and version lacks.
    List<String> violations(Target target, PtxVersion version) {
        return requirements().stream()
                .filter(requirement -> !requirement.isMet(target, version))
                .map(
                        requirement ->
                                "invalid: %s needs %s; found %s, PTX ISA %s"
                                        .formatted(mnemonic, requirement, target, version))
                .toList();
    }

    private String fidelity() {
        return switch (form().kind()) {
            case VIDEO, VIDEO_SHIFT, VIDEO_MULTIPLY_ADD, VIDEO_SIMD ->
                    "as the manual's pseudocode says; an H100 differs in some forms"
                            + " (docs/functions.md)";
            default ->
                    ScalarInstruction.isScalar(form().kind())
                            ? "exact: the manual defines every bit but those of .f64 NaNs; 1,731"
                                    + " scalar forms have an H100's bits (docs/functions.md)"
                            : "as the manual says; what is not executed stands in docs/coverage.md";
        };
    }

    /// The explanation for programs.
    Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("opcode", mnemonic);
        object.put("syntax", form().text());
        object.put("section", form().section());
        object.put("needs", requirements().stream().map(Requirement::toString).distinct().toList());
        List<Map<String, Object>> operands = new ArrayList<>();
        for (OperandForm operand : operands()) {
            Map<String, Object> one = new LinkedHashMap<>();
            ScalarType type = match.typeOf(operand);
            one.put("name", operand.name());
            one.put("written", operand.isDestination());
            one.put("type", type == null ? "" : type.keyword());
            operands.add(one);
        }
        object.put("operands", operands);
        object.put("memory", form().kind().memory().name().toLowerCase(Locale.ROOT));
        object.put("fidelity", fidelity());
        return object;
    }
}
