package dev.heddle.ptx.check;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Legality;
import dev.heddle.isa.RegisterType;
import dev.heddle.isa.SourceInstruction;
import dev.heddle.isa.SourceOperand;
import dev.heddle.isa.Target;
import dev.heddle.isa.Violation;
import dev.heddle.isa.search.SourceScan;
import dev.heddle.ptx.Constant;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.Variable;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Checks `mma`, `mma.sp`, `wgmma.mma_async` and `wgmma.mma_async.sp` by the model of their forms.
final class MatrixChecker {

    /// Null where there is no such target, which is said elsewhere.
    private final @Nullable Target target;
    private final Context context;
    private final Set<String> faultless = new HashSet<>();

    MatrixChecker(Context context) {
        this.context = context;
        target = context.target().target();
    }

    void check(Instruction instruction) {
        OperandChecker operands = new OperandChecker(instruction, null, context.names());
        operands.namesOnly(context.reporter());
        if (!operands.collected().isEmpty()) {
            return;
        }
        String key = key(instruction);
        if (faultless.contains(key)) {
            return;
        }
        Legality legality = legality(instruction);
        if (legality == null) {
            return;
        }
        String nearest =
                legality.nearest().isEmpty() ? "" : legality.nearest().getFirst().toString();
        if (legality.violations().isEmpty()) {
            faultless.add(key);
        }
        for (Violation violation : legality.violations()) {
            report(instruction, legality, violation, nearest);
        }
    }

    /// Null where no instruction is called so, which is told.
    private @Nullable Legality legality(Instruction instruction) {
        List<SourceOperand> sources = new ArrayList<>();
        for (Operand operand : instruction.operands()) {
            sources.add(source(operand));
        }
        try {
            Legality legality =
                    Legality.of(
                            new SourceInstruction(
                                    "", instruction.mnemonic(), Optional.of(sources)));
            return target == null ? legality : legality.on(target, context.version());
        } catch (InputException e) {
            context.reporter()
                    .report(
                            "unknown-instruction.product",
                            instruction,
                            String.valueOf(e.getMessage()));
            return null;
        }
    }

    /// All that legality depends on: the opcode, the types of registers, the values of constants.
    private static String key(Instruction instruction) {
        StringBuilder key = new StringBuilder(instruction.mnemonic());
        for (Operand operand : instruction.operands()) {
            key.append(',');
            describe(operand, key);
        }
        return key.toString();
    }

    private static void describe(Operand operand, StringBuilder key) {
        switch (operand) {
            case Operand.Register register ->
                    key.append(type(register).map(RegisterType::toString).orElse("?")).append(' ');
            case Operand.Vector(List<Operand> elements, _) -> {
                key.append('{');
                elements.forEach(element -> describe(element, key));
                key.append('}');
            }
            default -> key.append(OperandExcerpt.of(operand)).append(' ');
        }
    }

    private static String remedy(Violation violation, String nearest) {
        if (nearest.isEmpty()) {
            return violation.allowed().isEmpty() ? "leave it out" : "write " + violation.allowed();
        }
        return "write for example "
                + nearest
                + (violation.allowed().isEmpty() ? "" : "; allowed: " + violation.allowed());
    }

    private void report(
            Instruction instruction, Legality legality, Violation violation, String nearest) {
        int index = violation.operand();
        boolean whole = index < 0 || index >= instruction.operands().size();
        SourcePosition position = instruction.position();
        int width;
        if (whole) {
            int[] place = SourceScan.places(legality, violation, instruction.mnemonic()).getFirst();
            position =
                    new SourcePosition(
                            position.file(), position.line(), position.column() + place[0]);
            width = place[1] - place[0];
        } else {
            position = instruction.operands().get(index).position();
            width = OperandExcerpt.width(instruction.operands().get(index));
        }
        context.reporter()
                .add(
                        new Diagnostic(
                                violation.rule(),
                                position,
                                width,
                                violation.rule().text() + ": found " + violation.found(),
                                remedy(violation, nearest),
                                violation.section(),
                                List.of()));
    }

    private static SourceOperand source(Operand operand) {
        return switch (operand) {
            case Operand.Register register ->
                    new SourceOperand.Register(register.toString(), type(register), false);
            case Operand.Negated(char operator, Operand.Register register, _)
                    when operator == '!' ->
                    new SourceOperand.Register(register.toString(), type(register), true);
            case Operand.Immediate(Constant.IntegerConstant(long value, _), _) ->
                    new SourceOperand.IntegerConstant(value);
            case Operand.Immediate(Constant value, _) ->
                    new SourceOperand.FloatConstant(value.toString());
            case Operand.Vector(List<Operand> elements, _) ->
                    new SourceOperand.Vector(elements.stream().map(MatrixChecker::source).toList());
            case Operand.Sink _ -> new SourceOperand.Sink();
            default -> new SourceOperand.Other(OperandExcerpt.of(operand));
        };
    }

    private static Optional<RegisterType> type(Operand.Register register) {
        Variable declaration = register.declaration();
        return declaration == null
                ? Optional.empty()
                : RegisterType.named("." + declaration.type().keyword());
    }
}
