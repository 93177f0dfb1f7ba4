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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Compares the table with the assembler line by line: instructions dealt from the syntax lines,
/// half of them with one thing changed, many to a module.
///
/// The assembler names the line of every error that is not one of syntax, so one call of it judges
/// a thousand instructions. `main COUNT SEED ARCHITECTURE VERSION` prints every disagreement;
/// `main registers ROUNDS SEED ARCHITECTURE VERSION` puts a register of every type in each place,
/// `main orders ROUNDS SEED ARCHITECTURE VERSION` moves each qualifier to every other place.
final class FormSweep {

    private static final int A_MODULE = 100;

    /// Qualifiers of one instruction that the assembler passes over in others.
    private static final Pattern IGNORED =
            Pattern.compile(
                    "\\.(finite|infinite|number|notanumber|normal|subnormal|rank|elemtype|box_dim"
                            + "|element_stride|fill_mode|global_(address|dim|stride)"
                            + "|interleave_layout|swizzle_(mode|atomicity)|acc::f(16|32)"
                            + "|b6x16_p32|b4x16_p64|b8x16|(tex|sampler|surf)ref)\\b");

    /// Addresses narrower than those of the module. The assembler takes most of 8 and 16 bits, and
    /// refuses those of 32 bits only where nothing else is wrong with the module.
    private static final Pattern NARROW = Pattern.compile("\\[%[bsu](8|16|32)_");

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

        /// Whether it is a difference that `docs/evidence/check.md` lists: what the assembler
        /// passes over, or refuses in what it writes in the place of an instruction.
        boolean isExempt() {
            return assembler.isEmpty()
                    ? IGNORED.matcher(text).find() || NARROW.matcher(text).find()
                    : assembler.endsWith("instruction 'mov'") && !text.startsWith("mov");
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
        List<Dealt> dealt = new ArrayList<>();
        while (dealt.size() < count) {
            InstructionForm form = forms.get(random.nextInt(forms.size()));
            dealt.add(new Dealt(form.text(), instruction(form)));
        }
        return judge(dealt, architecture, version);
    }

    /// Deals each syntax line so many times and puts a register of every type in the place of each
    /// register, and asks both.
    List<Line> everyRegister(int rounds, String architecture, String version)
            throws IOException, InterruptedException {
        return every(generator::everyRegister, rounds, architecture, version);
    }

    /// Deals each syntax line so many times, moves its qualifiers, and asks both.
    List<Line> everyOrder(int rounds, String architecture, String version)
            throws IOException, InterruptedException {
        return every(generator::everyOrder, rounds, architecture, version);
    }

    private List<Line> every(
            Function<InstructionForm, List<InstructionGenerator.Draft>> ways,
            int rounds,
            String architecture,
            String version)
            throws IOException, InterruptedException {
        Set<Dealt> dealt = new LinkedHashSet<>();
        for (int round = 0; round < rounds; round++) {
            for (InstructionForm form : forms) {
                for (InstructionGenerator.Draft draft : ways.apply(form)) {
                    dealt.add(new Dealt(form.text(), draft.text()));
                }
            }
        }
        return judge(List.copyOf(dealt), architecture, version);
    }

    /// An instruction and the syntax line that it was dealt from.
    private record Dealt(String form, String text) {}

    private static List<Line> judge(List<Dealt> dealt, String architecture, String version)
            throws IOException, InterruptedException {
        List<Line> lines = new ArrayList<>();
        for (int at = 0; at < dealt.size(); at += A_MODULE) {
            int end = Math.min(dealt.size(), at + A_MODULE);
            lines.addAll(module(dealt.subList(at, end), architecture, version));
        }
        return lines;
    }

    private static List<Line> module(List<Dealt> dealt, String architecture, String version)
            throws IOException, InterruptedException {
        int count = dealt.size();
        String module =
                InstructionGenerator.module(
                        architecture, version, dealt.stream().map(Dealt::text).toList());
        int first = (int) InstructionGenerator.head(architecture, version).lines().count() + 1;
        List<String> theirs = Ptxas.lines(module, architecture, first, count);
        List<String> ours = ours(module, first, count);
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Dealt one = dealt.get(i);
            lines.add(new Line(one.form(), one.text(), theirs.get(i), ours.get(i)));
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
        boolean every = !Character.isDigit(arguments[0].charAt(0));
        List<String> rest = List.of(arguments).subList(every ? 1 : 0, arguments.length);
        int rounds = Integer.parseInt(rest.get(0));
        FormSweep sweep = new FormSweep(Long.parseLong(rest.get(1)));
        List<Line> lines =
                switch (every ? arguments[0] : "") {
                    case "registers" -> sweep.everyRegister(rounds, rest.get(2), rest.get(3));
                    case "orders" -> sweep.everyOrder(rounds, rest.get(2), rest.get(3));
                    default -> sweep.sweep(rounds, rest.get(2), rest.get(3));
                };
        int count = lines.size();
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
