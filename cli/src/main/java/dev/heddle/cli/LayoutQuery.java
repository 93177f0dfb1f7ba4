package dev.heddle.cli;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.Legality;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.SourceInstruction;
import dev.heddle.isa.Violation;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.util.List;

/// What `where` and `layout` are asked about: an opcode, an operand, a selector.
///
/// @param opcode   the opcode, or a whole instruction
/// @param operand  the operand's name as written
/// @param selector the `--selector` option as written
record LayoutQuery(String opcode, String operand, @Nullable String selector) {
    /// The help of the option that both have.
    static final String SELECTOR =
            """
            --selector F  The sparsity selector, for E (default 0); for SFA and SFB
                byte-id,thread-id (default 0,0).
            """;

    static LayoutQuery of(ParseResult given) {
        return new LayoutQuery(
                Command.at(given, 0), Command.at(given, 1), Command.value(given, "--selector"));
    }

    /// The form that the opcode names, with A in registers if there is a choice.
    Form form() {
        return form(opcode);
    }

    /// The form that a text names.
    static Form form(String text) {
        Legality legality = Legality.of(SourceInstruction.parse(text));
        if (legality.forms().isEmpty()) {
            throw new UsageError(refusal(text, legality));
        }
        List<Form> forms = legality.forms();
        return forms.stream()
                .filter(form -> form.aSource() == ASource.REGISTERS)
                .findFirst()
                .orElse(forms.getFirst());
    }

    private static String refusal(String text, Legality legality) {
        Violation first = legality.violations().getFirst();
        StringBuilder message = new StringBuilder();
        message.append(first.message())
                .append(" (")
                .append(first.rule().id())
                .append(", PTX ISA ")
                .append(first.section())
                .append(')');
        if (legality.violations().size() > 1) {
            message.append("; and ").append(legality.violations().size() - 1).append(" more:");
            message.append(" see heddle explain '").append(text.strip()).append('\'');
        }
        if (!legality.nearest().isEmpty()) {
            message.append("\nnearest: ").append(legality.nearest().getFirst());
        }
        return message.toString();
    }

    /// The operand.
    OperandName operandName() {
        return OperandName.parse(operand);
    }

    /// The selector, or byte-id and thread-id.
    LayoutEntry.Selection selection() {
        if (selector == null) {
            return LayoutEntry.Selection.FIRST;
        }
        int[] numbers = Numbers.parse("--selector", selector, 1, 2);
        return new LayoutEntry.Selection(numbers[0], numbers.length == 2 ? numbers[1] : 0);
    }
}
