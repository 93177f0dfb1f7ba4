package dev.heddle.conformance.instructions;

import dev.heddle.conformance.ptxas.Ptxas;
import dev.heddle.isa.rule.Verdict;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.check.Check;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionTable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/// Compares the table with the assembler line by line: instructions dealt from the syntax lines,
/// half of them with one thing changed, many to a module.
///
/// The assembler names the line of every error that is not one of syntax, so one call of it judges
/// a thousand instructions. `main COUNT SEED ARCHITECTURE VERSION` prints every disagreement.
final class FormSweep {

    /// Qualifiers of one instruction that the assembler passes over in others.
    private static final Pattern IGNORED =
            Pattern.compile(
                    "\\.(finite|infinite|number|notanumber|normal|subnormal|rank|elemtype|box_dim"
                            + "|element_stride|fill_mode|global_(address|dim|stride)"
                            + "|interleave_layout|swizzle_(mode|atomicity)|acc::f(16|32)"
                            + "|b6x16_p32|b4x16_p64|b8x16)\\b");

    /// One instruction and what both say of it.
    ///
    /// @param form the syntax line that it was dealt from
    /// @param text the instruction
    /// @param assembler its message, or an empty text where the assembler takes it
    /// @param ours the first message here, or an empty text
    record Line(String form, String text, String assembler, String ours) {

        boolean agrees() {
            return assembler.isEmpty() == ours.isEmpty();
        }

        /// Whether it is a difference that `docs/evidence/check.md` lists.
        boolean isExempt() {
            return assembler.isEmpty() && IGNORED.matcher(text).find();
        }

        @Override
        public String toString() {
            return (assembler.isEmpty() ? "REJECTED HERE " : "ACCEPTED HERE ")
                    + text
                    + "\n      form: "
                    + form
                    + "\n      ptxas: "
                    + (assembler.isEmpty() ? "accepted" : assembler)
                    + "\n      here: "
                    + (ours.isEmpty() ? "accepted" : ours);
        }
    }

    private final SplittableRandom random;
    private final InstructionGenerator generator;
    private final List<InstructionForm> forms;

    FormSweep(long seed) {
        this.random = new SplittableRandom(seed);
        this.generator = new InstructionGenerator(random);
        this.forms = InstructionTable.all().stream().filter(InstructionGenerator::canDeal).toList();
    }

    /// Deals so many instructions and asks both about them, some hundred a module.
    List<Line> sweep(int count, String architecture, String version)
            throws IOException, InterruptedException {
        List<Line> lines = new ArrayList<>();
        while (lines.size() < count) {
            lines.addAll(module(Math.min(500, count - lines.size()), architecture, version));
        }
        return lines;
    }

    private List<Line> module(int count, String architecture, String version)
            throws IOException, InterruptedException {
        List<String> from = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        while (texts.size() < count) {
            InstructionForm form = forms.get(random.nextInt(forms.size()));
            texts.add(instruction(form));
            from.add(form.text());
        }
        String module = InstructionGenerator.module(architecture, version, texts);
        int first = (int) InstructionGenerator.head(architecture, version).lines().count() + 1;
        List<String> theirs = Ptxas.lines(module, architecture, first, count);
        List<String> ours = ours(module, first, count);
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(new Line(from.get(i), texts.get(i), theirs.get(i), ours.get(i)));
        }
        return lines;
    }

    private static List<String> ours(String module, int first, int count) {
        List<String> messages = new ArrayList<>(Collections.nCopies(count, ""));
        for (Diagnostic finding : Check.text(module, "sweep.ptx").findings()) {
            int line = finding.position().line() - first;
            boolean asked = finding.verdict() == Verdict.INVALID && line >= 0 && line < count;
            if (asked && messages.get(line).isEmpty()) {
                messages.set(line, finding.message());
            }
        }
        return messages;
    }

    private String instruction(InstructionForm form) {
        InstructionGenerator.Draft draft = generator.deal(form);
        if (random.nextBoolean()) {
            generator.change(draft);
        }
        return draft.text();
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int count = Integer.parseInt(arguments[0]);
        FormSweep sweep = new FormSweep(Long.parseLong(arguments[1]));
        List<Line> lines = sweep.sweep(count, arguments[2], arguments[3]);
        lines.stream()
                .filter(line -> !line.agrees() && !line.isExempt())
                .forEach(System.out::println);
        long agree = lines.stream().filter(Line::agrees).count();
        System.out.printf(
                "%d instructions, %d taken by ptxas, %d verdicts agree (%.2f %%), %d exempt%n",
                count,
                lines.stream().filter(line -> line.assembler().isEmpty()).count(),
                agree,
                100.0 * agree / count,
                lines.stream().filter(line -> !line.agrees() && line.isExempt()).count());
    }
}
