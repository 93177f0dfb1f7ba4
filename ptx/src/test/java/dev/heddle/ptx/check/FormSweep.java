package dev.heddle.ptx.check;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Outcome;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.check.Form.OperandForm;
import dev.heddle.ptx.check.Form.Slot;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Compares the table with the assembler line by line: instructions dealt from the syntax lines,
/// half of them with one thing changed, many to a module.
///
/// The assembler names the line of every error that is not one of syntax, so one call of it judges
/// a thousand instructions. `main COUNT SEED ARCHITECTURE VERSION` prints every disagreement.
final class FormSweep {

    private static final String TAIL = "L0: ret;\n}\n";

    /// Qualifiers of one instruction that the assembler passes over in others.
    private static final Pattern IGNORED =
            Pattern.compile(
                    "\\.(finite|infinite|number|notanumber|normal|subnormal|rank|elemtype|box_dim"
                            + "|element_stride|fill_mode|global_(address|dim|stride)"
                            + "|interleave_layout|swizzle_(mode|atomicity)|acc::f(16|32)"
                            + "|b6x16_p32|b4x16_p64|b8x16)\\b");

    private static final List<ScalarType> REGISTERS =
            List.of(
                    ScalarType.PRED,
                    ScalarType.B8,
                    ScalarType.B16,
                    ScalarType.B32,
                    ScalarType.B64,
                    ScalarType.U8,
                    ScalarType.U16,
                    ScalarType.U32,
                    ScalarType.U64,
                    ScalarType.S8,
                    ScalarType.S16,
                    ScalarType.S32,
                    ScalarType.S64,
                    ScalarType.F16,
                    ScalarType.F16X2,
                    ScalarType.F32,
                    ScalarType.F64);

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

        /// Whether it is a difference that `docs/check.md` lists.
        boolean isExempt() {
            return (assembler.isEmpty() && IGNORED.matcher(text).find())
                    || text.startsWith("membar.proxy.async");
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
    private final List<Form> forms;
    private final List<String> qualifiers = new ArrayList<>(new TreeSet<>(Forms.qualifiers()));

    FormSweep(long seed) {
        this.random = new SplittableRandom(seed);
        this.forms = Forms.all().stream().filter(FormSweep::dealt).toList();
    }

    /// Forms that end a block or whose operands the table leaves open are not dealt.
    private static boolean dealt(Form form) {
        return !Set.of("ret", "exit", "trap", "bra", "brx.idx", "brkpt").contains(form.head())
                && form.operands().stream()
                        .noneMatch(
                                operand ->
                                        operand.type().equals("any")
                                                && operand.kind() != Form.Kind.ADDRESS);
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
            Form form = forms.get(random.nextInt(forms.size()));
            texts.add(instruction(form));
            from.add(form.text());
        }
        StringBuilder registers = new StringBuilder();
        for (ScalarType type : REGISTERS) {
            registers.append(".reg .%1$s %%%1$s_<9>;\n".formatted(type.keyword()));
        }
        String head =
                """
                .version %s
                .target %s
                .address_size 64
                .global .align 16 .b8 gv[256];
                .const .align 16 .b8 cv[256];
                .visible .func (.param .b32 q) f(.param .b32 p)
                {
                .shared .align 16 .b8 sv[256];
                .local .align 16 .b8 lv[256];
                %sT: .branchtargets L0;
                """
                        .formatted(version, architecture, registers);
        String module = head + String.join("\n", texts) + "\n" + TAIL;
        int first = (int) head.lines().count() + 1;
        List<String> theirs = Assembler.lines(module, architecture, first, count);
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
            boolean asked = finding.outcome() == Outcome.INVALID && line >= 0 && line < count;
            if (asked && messages.get(line).isEmpty()) {
                messages.set(line, finding.message());
            }
        }
        return messages;
    }

    private String instruction(Form form) {
        List<String> words = new ArrayList<>();
        int group = 0;
        boolean groupStands = false;
        for (Slot slot : form.slots()) {
            boolean stands = !slot.optional() || random.nextInt(4) == 0;
            if (slot.group() != 0) {
                groupStands = slot.group() == group ? groupStands : random.nextBoolean();
                group = slot.group();
                stands = groupStands;
            }
            if (stands) {
                words.add(pick(slot.choices()).word());
            }
        }
        boolean changed = random.nextBoolean();
        Binding binding = Binding.of(form, words);
        List<String> operands = new ArrayList<>();
        for (OperandForm place : form.operands()) {
            if (stands(place, binding)) {
                operands.add(operand(place, binding));
            }
        }
        if (changed) {
            change(words, operands);
        }
        StringBuilder text = new StringBuilder(form.head());
        for (String word : words) {
            text.append('.').append(word);
        }
        return text + " " + String.join(", ", operands) + ";";
    }

    private void change(List<String> words, List<String> operands) {
        int what = random.nextInt(7);
        if (what == 0 && !words.isEmpty()) {
            words.remove(random.nextInt(words.size()));
        } else if (what == 1) {
            words.add(random.nextInt(words.size() + 1), pick(qualifiers));
        } else if (what <= 4 && !words.isEmpty()) {
            int at = random.nextInt(words.size());
            boolean type = FormParser.isType(words.get(at));
            String other = pick(qualifiers);
            while (type && !FormParser.isType(other)) {
                other = pick(qualifiers);
            }
            words.set(at, other);
        } else if (!operands.isEmpty()) {
            int at = random.nextInt(operands.size());
            switch (random.nextInt(4)) {
                case 0 -> operands.remove(at);
                case 1 -> operands.add(at, register(pick(REGISTERS)));
                default -> operands.set(at, register(pick(REGISTERS)));
            }
        }
    }

    private boolean stands(OperandForm place, Binding binding) {
        return switch (place.presence()) {
            case REQUIRED -> true;
            case OPTIONAL -> random.nextBoolean();
            case CONDITIONAL ->
                    place.condition().equals("offsets")
                            ? String.valueOf(binding.word("load")).startsWith("im2col")
                            : binding.word(place.condition()) != null;
        };
    }

    private String operand(OperandForm place, Binding binding) {
        if (place.kind() == Form.Kind.ADDRESS) {
            return "[" + address(place, binding) + "]";
        }
        String one = value(place, binding);
        if (place.second() != null && (!place.second().optional() || random.nextBoolean())) {
            return one + "|" + register(ScalarType.PRED);
        }
        return one;
    }

    private String address(OperandForm place, Binding binding) {
        String space = binding.space();
        if (!place.type().isEmpty() && !place.type().equals("any")) {
            space = place.type();
        }
        String plain = register(ScalarType.B64);
        if (space == null || random.nextBoolean()) {
            return plain + (random.nextInt(4) == 0 ? "+16" : "");
        }
        return switch (space) {
            case "global" -> "gv+16";
            case "const" -> "cv";
            case "shared" -> "sv+32";
            case "local" -> "lv";
            default -> plain;
        };
    }

    private String value(OperandForm place, Binding binding) {
        switch (place.type()) {
            case "label" -> {
                return "L0";
            }
            case "targets" -> {
                return "T";
            }
            case "address", "variable" -> {
                return register(ScalarType.B64);
            }
            case "source" -> {
                return register(random.nextBoolean() ? ScalarType.U32 : ScalarType.PRED);
            }
            default -> {}
        }
        ScalarType type =
                place.type().equals("mov")
                        ? binding.lastType()
                        : OperandChecker.type(place, binding);
        if (place.kind() == Form.Kind.CONSTANT) {
            return String.valueOf(1 << random.nextInt(8));
        }
        if (type == null) {
            return register(ScalarType.B32);
        }
        int vector = !place.vector() ? 1 : place.count() > 0 ? place.count() : binding.vector();
        boolean braces =
                place.count() > 0 || (place.vector() && binding.form().head().endsWith("matrix"));
        if (vector == 1 && !braces) {
            return register(fitting(type));
        }
        List<String> elements = new ArrayList<>();
        ScalarType own = fitting(type);
        for (int i = 0; i < vector; i++) {
            elements.add("%" + own.keyword() + "_" + i);
        }
        return "{" + String.join(", ", elements) + "}";
    }

    /// A register type for an instruction type.
    private ScalarType fitting(ScalarType type) {
        ScalarType bits = ScalarType.of(type == ScalarType.PRED ? "pred" : "b" + type.bits());
        return random.nextInt(3) == 0 && REGISTERS.contains(type) || bits == null ? type : bits;
    }

    private String register(ScalarType type) {
        return "%" + type.keyword() + "_" + random.nextInt(8);
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
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
