package dev.heddle.conformance.instructions;

import dev.heddle.isa.PtxVersion;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.FormReader;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionForm.OperandForm;
import dev.heddle.ptx.instruction.InstructionForm.Slot;
import dev.heddle.ptx.instruction.InstructionTable;
import dev.heddle.ptx.instruction.Selector;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Deals instructions from syntax lines, and the module in which they are.
final class InstructionGenerator {

    private static final String TAIL = "L0: ret;\n}\n";

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

    private static final Pattern REGISTER = Pattern.compile("%[a-z0-9]+(_\\d)");

    private final SplittableRandom random;
    private final List<String> qualifiers =
            new ArrayList<>(new TreeSet<>(InstructionTable.qualifiers()));

    InstructionGenerator(SplittableRandom random) {
        this.random = random;
    }

    /// An instruction before it is written down.
    ///
    /// @param head its opcode
    /// @param words the other qualifiers
    /// @param operands as text
    record Draft(String head, List<String> words, List<String> operands) {

        String text() {
            StringBuilder text = new StringBuilder(head);
            for (String word : words) {
                text.append('.').append(word);
            }
            return text + " " + String.join(", ", operands) + ";";
        }
    }

    /// Whether a line can be dealt: not those that end a block, nor those whose operands the table
    /// leaves open.
    static boolean canDeal(InstructionForm form) {
        return !Set.of("ret", "exit", "trap", "bra", "brx.idx", "brkpt").contains(form.head())
                && form.operands().stream()
                        .noneMatch(
                                operand ->
                                        operand.type().equals("any")
                                                && operand.kind() != InstructionForm.Kind.ADDRESS);
    }

    /// What is in a module before its first instruction.
    static String head(String architecture, String version) {
        StringBuilder registers = new StringBuilder();
        for (ScalarType type : REGISTERS) {
            registers.append(".reg .%1$s %%%1$s_<9>;\n".formatted(type.keyword()));
        }
        if (PtxVersion.parse(version).atLeast(PtxVersion.parse("8.3"))) {
            registers.append(".reg .b128 %b128_<9>;\n");
        }
        return """
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
    }

    /// A module with these instructions, one a line after its [#head].
    static String module(String architecture, String version, List<String> instructions) {
        return head(architecture, version) + String.join("\n", instructions) + "\n" + TAIL;
    }

    /// An instruction with what must appear there and some of what may.
    Draft deal(InstructionForm form) {
        return deal(form, -1, "");
    }

    /// The same with this qualifier in the slot of this number.
    Draft deal(InstructionForm form, int fixed, String qualifier) {
        List<String> words = new ArrayList<>();
        int group = 0;
        boolean groupStands = false;
        for (int i = 0; i < form.slots().size(); i++) {
            Slot slot = form.slots().get(i);
            boolean stands = !slot.optional() || random.nextInt(4) == 0;
            if (slot.group() != 0) {
                groupStands =
                        slot.group() == group
                                ? groupStands
                                : random.nextBoolean()
                                        || (fixed >= 0
                                                && form.slots().get(fixed).group() == slot.group());
                group = slot.group();
                stands = groupStands;
            }
            if (i == fixed) {
                words.add(qualifier);
            } else if (stands) {
                words.add(pick(slot.choices()).word());
            }
        }
        FormMatch binding = FormMatch.of(form, words);
        List<String> operands = new ArrayList<>();
        for (OperandForm place : form.operands()) {
            if (stands(place, binding)) {
                operands.add(operand(place, binding));
            }
        }
        return new Draft(form.head(), words, operands);
    }

    /// Changes one thing: a qualifier or an operand left out, added, or another in its place, or a
    /// qualifier moved.
    void change(Draft draft) {
        List<String> words = draft.words();
        List<String> operands = draft.operands();
        int what = random.nextInt(8);
        if (what == 0 && !words.isEmpty()) {
            words.remove(random.nextInt(words.size()));
        } else if (what == 1) {
            words.add(random.nextInt(words.size() + 1), pick(qualifiers));
        } else if (what <= 4 && !words.isEmpty()) {
            int at = random.nextInt(words.size());
            boolean type = FormReader.isType(words.get(at));
            String other = pick(qualifiers);
            while (type && !FormReader.isType(other)) {
                other = pick(qualifiers);
            }
            words.set(at, other);
        } else if (what == 5 && !words.isEmpty()) {
            String moved = words.remove(random.nextInt(words.size()));
            words.add(random.nextInt(words.size() + 1), moved);
        } else if (!operands.isEmpty()) {
            int at = random.nextInt(operands.size());
            switch (random.nextInt(4)) {
                case 0 -> operands.remove(at);
                case 1 -> operands.add(at, anyRegister());
                case 2 -> operands.set(at, retyped(operands.get(at)));
                default -> operands.set(at, anyRegister());
            }
        }
    }

    /// An instruction of this line, as it is dealt and with a register of every type in the place
    /// of each of its registers.
    List<Draft> everyRegister(InstructionForm form) {
        Draft draft = deal(form);
        List<Draft> drafts = new ArrayList<>(List.of(draft));
        for (int at = 0; at < draft.operands().size(); at++) {
            for (MatchResult own : registers(draft.operands().get(at))) {
                for (ScalarType type : REGISTERS) {
                    List<String> operands = new ArrayList<>(draft.operands());
                    String other = "%" + type.keyword() + own.group(1);
                    operands.set(at, replaced(operands.get(at), own, other));
                    drafts.add(new Draft(draft.head(), draft.words(), operands));
                }
            }
        }
        return drafts;
    }

    /// An instruction of this line, as it is dealt and with each of its qualifiers moved to every
    /// other place, the opcode's own among them.
    List<Draft> everyOrder(InstructionForm form) {
        Draft draft = deal(form);
        List<String> words = new ArrayList<>(List.of(draft.head().split("\\.", -1)));
        String opcode = words.removeFirst();
        words.addAll(draft.words());
        Set<Draft> drafts = new LinkedHashSet<>(List.of(draft));
        for (int from = 0; from < words.size(); from++) {
            for (int to = 0; to < words.size(); to++) {
                List<String> moved = new ArrayList<>(words);
                moved.add(to, moved.remove(from));
                drafts.add(new Draft(opcode, moved, draft.operands()));
            }
        }
        return List.copyOf(drafts);
    }

    /// An operand with a register of any type in place of one of its own.
    private String retyped(String operand) {
        List<MatchResult> own = registers(operand);
        return own.isEmpty() ? operand : replaced(operand, pick(own), anyRegister());
    }

    private static List<MatchResult> registers(String operand) {
        return REGISTER.matcher(operand).results().toList();
    }

    private static String replaced(String operand, MatchResult own, String other) {
        return operand.substring(0, own.start()) + other + operand.substring(own.end());
    }

    /// A register that the module declares, of any type.
    String anyRegister() {
        return register(pick(REGISTERS));
    }

    private boolean stands(OperandForm place, FormMatch match) {
        return place.presence() == InstructionForm.Presence.OPTIONAL
                ? random.nextBoolean()
                : match.stands(place);
    }

    private String operand(OperandForm place, FormMatch binding) {
        if (place.kind() == InstructionForm.Kind.ADDRESS) {
            return "[" + address(place, binding) + "]";
        }
        String one = value(place, binding);
        if (place.second() != null && (!place.second().optional() || random.nextBoolean())) {
            return one + "|" + register(ScalarType.PRED);
        }
        return one;
    }

    private String address(OperandForm place, FormMatch binding) {
        String space = binding.space();
        if (!place.type().isEmpty() && !place.type().equals("any")) {
            space = place.type();
        }
        String plain = register(ScalarType.B64);
        if ("texref".equals(space) || "surfref".equals(space)) {
            return plain;
        }
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

    private String value(OperandForm place, FormMatch binding) {
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
        ScalarType type = place.type().equals("mov") ? binding.lastType() : binding.typeOf(place);
        if (place.kind() == InstructionForm.Kind.CONSTANT) {
            return Character.isDigit(place.type().charAt(0))
                    ? place.type()
                    : String.valueOf(1 << random.nextInt(8));
        }
        if (type == null) {
            return register(ScalarType.B32);
        }
        int vector = !place.vector() ? 1 : place.count() > 0 ? place.count() : binding.vector();
        boolean braces =
                place.count() > 0 || (place.vector() && binding.form().head().endsWith("matrix"));
        if (vector == 1 && !braces) {
            return negated(place) + register(fitting(place, type)) + selector(place);
        }
        List<String> elements = new ArrayList<>();
        ScalarType own = fitting(place, type);
        for (int i = 0; i < vector; i++) {
            elements.add("%" + own.keyword() + "_" + i);
        }
        return "{" + String.join(", ", elements) + "}";
    }

    private String negated(OperandForm place) {
        return place.negatable() && random.nextInt(4) == 0 ? "-" : "";
    }

    private String selector(OperandForm place) {
        Selector selector = place.selector();
        if (selector == null || selector == Selector.WORD || random.nextBoolean()) {
            return "";
        }
        return "." + pick(List.of(selector.examples()));
    }

    /// A register type for the type of a place. Of an untyped one, any type of its size may be.
    private ScalarType fitting(OperandForm place, ScalarType type) {
        if (type.kind() == ScalarType.Kind.BITS
                && REGISTERS.contains(type)
                && place.registers() != InstructionForm.Registers.EXACT
                && random.nextInt(3) == 0) {
            return pick(
                    REGISTERS.stream()
                            .filter(other -> other != ScalarType.PRED)
                            .filter(other -> other.bits() == type.bits())
                            .toList());
        }
        ScalarType bits = ScalarType.of(type == ScalarType.PRED ? "pred" : "b" + type.bits());
        return random.nextInt(3) == 0 && REGISTERS.contains(type) || bits == null ? type : bits;
    }

    private String register(ScalarType type) {
        return "%" + type.keyword() + "_" + random.nextInt(8);
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
