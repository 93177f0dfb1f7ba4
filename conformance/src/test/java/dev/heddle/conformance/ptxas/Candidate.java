package dev.heddle.conformance.ptxas;

import dev.heddle.isa.Legality;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.RegisterType;
import dev.heddle.isa.SourceInstruction;
import dev.heddle.isa.SourceOperand;
import dev.heddle.isa.Target;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A module of one matrix instruction.
///
/// @param change   what sets it apart from a legal one; empty if nothing does
/// @param words    the opcode, word by word
/// @param operands its operands, every register with its type
/// @param target   the module's `.target`
/// @param version  the module's `.version`
public record Candidate(
        Optional<NearMiss> change,
        List<String> words,
        List<SourceOperand> operands,
        Target target,
        PtxVersion version) {
    public Candidate {
        words = List.copyOf(words);
        operands = List.copyOf(operands);
    }

    /// A register of that type; its number names it.
    static SourceOperand.Register register(RegisterType type, int number) {
        String name = "%" + type.name().toLowerCase(Locale.ROOT) + "_" + number;
        return new SourceOperand.Register(name, Optional.of(type), false);
    }

    Candidate with(NearMiss nearMiss) {
        return new Candidate(Optional.of(nearMiss), words, operands, target, version);
    }

    Candidate withWords(List<String> otherWords) {
        return new Candidate(change, otherWords, operands, target, version);
    }

    Candidate withOperands(List<SourceOperand> otherOperands) {
        return new Candidate(change, words, otherOperands, target, version);
    }

    Candidate on(Target otherTarget, PtxVersion otherVersion) {
        return new Candidate(change, words, operands, otherTarget, otherVersion);
    }

    /// The opcode.
    public String opcode() {
        return String.join(".", words);
    }

    /// The instruction as written in the module.
    public String instruction() {
        return opcode()
                + " "
                + String.join(", ", operands.stream().map(Object::toString).toList())
                + ";";
    }

    /// The whole module.
    public String module() {
        Map<RegisterType, Integer> counts = new EnumMap<>(RegisterType.class);
        operands.forEach(operand -> count(operand, counts));
        StringBuilder text = new StringBuilder();
        text.append(".version ").append(version).append("\n.target ").append(target);
        text.append("\n.address_size 64\n.visible .entry kernel()\n{\n");
        counts.forEach(
                (type, count) -> {
                    String name = type.name().toLowerCase(Locale.ROOT);
                    text.append(".reg ").append(type).append(" %").append(name);
                    text.append("_<").append(count).append(">;\n");
                });
        return text.append(instruction()).append("\nret;\n}\n").toString();
    }

    private static void count(SourceOperand operand, Map<RegisterType, Integer> counts) {
        switch (operand) {
            case SourceOperand.Vector vector ->
                    vector.elements().forEach(element -> count(element, counts));
            case SourceOperand.Register register -> {
                int number =
                        Integer.parseInt(
                                register.name().substring(register.name().indexOf('_') + 1));
                counts.merge(register.type().orElseThrow(), number + 1, Math::max);
            }
            case SourceOperand.IntegerConstant _,
                    SourceOperand.FloatConstant _,
                    SourceOperand.Sink _,
                    SourceOperand.Other _ -> {}
        }
    }

    /// What the model says of it.
    public Legality legality() {
        return Legality.of(new SourceInstruction("", opcode(), Optional.of(operands)))
                .on(target, version);
    }

    /// `near miss or "legal", target, version, instruction` on one line.
    @Override
    public String toString() {
        return change.map(NearMiss::toString).orElse("legal")
                + ", "
                + target
                + ", "
                + version
                + ": "
                + instruction();
    }
}
