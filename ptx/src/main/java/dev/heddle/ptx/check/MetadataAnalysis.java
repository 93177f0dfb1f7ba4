package dev.heddle.ptx.check;

import dev.heddle.isa.Metadata;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Constant.IntegerConstant;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;

import java.util.List;
import java.util.Optional;

/// Reads metadata words that are constants, and checks each pair of indices in them (PTX ISA
/// 9.7.14.6.1).
record MetadataAnalysis(Flow flow, Reporter reporter) {
    void run() {
        Writes writes = null;
        for (BoundInstruction instruction : flow.instructions()) {
            if (!instruction.isProduct() || !instruction.product().family().sparse()) {
                continue;
            }
            int operand = instruction.kind() == InstructionKind.MATRIX_MULTIPLY ? 4 : 3;
            if (operand < instruction.operands().size()) {
                writes = writes == null ? new Writes(flow) : writes;
                word(instruction, instruction.operands().get(operand), writes);
            }
        }
    }

    private void word(BoundInstruction instruction, Operand operand, Writes writes) {
        BoundInstruction definition = writes.definition(operand);
        if (definition == null
                || definition.guard() != null
                || definition.kind() != InstructionKind.MOVE
                || !(definition.operands().get(1)
                        instanceof
                        Operand.Immediate(IntegerConstant(long value, _), SourcePosition at))) {
            return;
        }
        Optional<Metadata> metadata = instruction.product().metadata();
        if (metadata.isEmpty()) {
            return;
        }
        for (int slot = 0; slot < Metadata.SLOTS; slot++) {
            int nibble = (int) (value >>> (4 * slot)) & 15;
            Optional<Rule> broken = metadata.get().brokenBy(nibble);
            if (broken.isPresent()) {
                report(instruction, (int) value, slot, nibble, broken.get(), at);
                return;
            }
        }
    }

    private void report(
            BoundInstruction instruction,
            int word,
            int slot,
            int nibble,
            Rule rule,
            SourcePosition at) {
        reporter.add(
                new Diagnostic(
                        rule,
                        instruction.position(),
                        instruction.mnemonic().length(),
                        "metadata 0x%08X, bits %d to %d: indices %d and %d; %s"
                                .formatted(
                                        word,
                                        4 * slot + 3,
                                        4 * slot,
                                        nibble & 3,
                                        nibble >> 2,
                                        rule.text()),
                        "two different indices of 0 to 3, the smaller in the lower bits: 0x4, 0x8,"
                                + " 0xC, 0x9, 0xD or 0xE (tf32: 0x4 or 0xE)",
                        rule.section(),
                        List.of(new Diagnostic.Note(at, "the constant"))));
    }
}
