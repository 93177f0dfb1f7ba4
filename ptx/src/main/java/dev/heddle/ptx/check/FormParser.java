package dev.heddle.ptx.check;

import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.check.Form.Choice;
import dev.heddle.ptx.check.Form.Kind;
import dev.heddle.ptx.check.Form.OperandForm;
import dev.heddle.ptx.check.Form.Presence;
import dev.heddle.ptx.check.Form.Second;
import dev.heddle.ptx.check.Form.Slot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads the notation that the package documentation describes.
final class FormParser {

    /// Sets that many instructions share.
    private static final String COMMON =
            """
            .rnd = rn rz rm rp
            .half = f16 f16x2
            .bhalf = bf16 bf16x2
            .bits = b16 b32 b64
            .signed = s16 s32 s64
            .unsigned = u16 u32 u64
            .eqne = eq ne
            .scmp = eq ne lt le gt ge
            .ucmp = eq ne lt le gt ge lo ls hi hs
            .fcmp = eq ne lt le gt ge equ neu ltu leu gtu geu num nan
            .bool = and or xor
            .scope = cta cluster@7.8/90 gpu sys
            .l1 = L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate
            .l2 = L2::evict_normal L2::evict_first L2::evict_last
            .hint = L2::cache_hint
            .fetch = L2::64B@7.4/75 L2::128B@7.4/75 L2::256B@7.4/80
            .vec = v2 v4 v8
            .type = b8 b16 b32 b64 b128@8.3/70 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64
            """;

    /// Types that no register has.
    private static final Set<String> OTHER_TYPES =
            Set.of("b1024", "u2", "s2", "u4", "s4", "b1", "b8x16", "b6x16_p32", "b4x16_p64");

    private final List<Form> forms = new ArrayList<>();
    private int groups;

    static List<Form> parse(String... texts) {
        FormParser parser = new FormParser();
        Map<String, List<Choice>> common = sets(COMMON.lines().toList());
        for (String text : texts) {
            parser.text(text, common);
        }
        return parser.forms;
    }

    static boolean isType(String word) {
        return ScalarType.of(word) != null || OTHER_TYPES.contains(word);
    }

    private void text(String text, Map<String, List<Choice>> common) {
        String section = "";
        List<String> block = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (Character.isDigit(line.charAt(0))) {
                block(section, block, common);
                section = line;
                block.clear();
            } else {
                block.add(line);
            }
        }
        block(section, block, common);
    }

    private void block(String section, List<String> lines, Map<String, List<Choice>> common) {
        Map<String, List<Choice>> sets = new HashMap<>(common);
        sets.putAll(sets(lines));
        for (String line : lines) {
            if (line.charAt(0) != '.') {
                forms.add(form(section, line, sets));
            }
        }
    }

    private static Map<String, List<Choice>> sets(List<String> lines) {
        Map<String, List<Choice>> sets = new HashMap<>();
        for (String line : lines) {
            int equals = line.indexOf(" = ");
            if (line.charAt(0) == '.' && equals > 0) {
                List<Choice> choices = new ArrayList<>();
                for (String word : line.substring(equals + 3).split(" ", -1)) {
                    choices.add(choice(word));
                }
                sets.put(line.substring(1, equals), choices);
            }
        }
        return sets;
    }

    private static Choice choice(String word) {
        int at = word.indexOf('@');
        return at < 0
                ? new Choice(word, null)
                : new Choice(word.substring(0, at), Requirement.parse(word.substring(at + 1)));
    }

    private Form form(String section, String line, Map<String, List<Choice>> sets) {
        String text = line;
        Requirement requirement = null;
        int at = line.lastIndexOf(" @");
        if (at > 0) {
            requirement = Requirement.parse(line.substring(at + 2));
            text = line.substring(0, at);
        }
        int space = text.indexOf(' ');
        String mnemonic = space < 0 ? text : text.substring(0, space);
        List<OperandForm> operands = new ArrayList<>();
        if (space > 0) {
            for (String operand : text.substring(space + 1).split(", ", -1)) {
                operands.add(operand(operand));
            }
        }
        List<Slot> slots = slots(mnemonic, sets);
        List<String> literals = new ArrayList<>();
        for (Slot slot : slots) {
            literals.add(slot.choices().size() == 1 && !slot.optional() ? slot.name() : "{}");
        }
        int end = opcodeEnd(mnemonic);
        String opcode = mnemonic.substring(0, end);
        int inHead = Heads.count(opcode, literals);
        StringBuilder head = new StringBuilder(opcode);
        for (String literal : literals.subList(0, inHead)) {
            head.append('.').append(literal);
        }
        return new Form(
                section,
                head.toString(),
                slots.subList(inHead, slots.size()),
                operands,
                requirement,
                line);
    }

    private static int opcodeEnd(String mnemonic) {
        int end = 0;
        while (end < mnemonic.length()
                && mnemonic.charAt(end) != '.'
                && mnemonic.charAt(end) != '{') {
            end++;
        }
        return end;
    }

    private List<Slot> slots(String mnemonic, Map<String, List<Choice>> sets) {
        List<Slot> slots = new ArrayList<>();
        int i = opcodeEnd(mnemonic);
        while (i < mnemonic.length()) {
            if (mnemonic.charAt(i) == '{') {
                int close = mnemonic.indexOf('}', i);
                String inner = mnemonic.substring(i + 1, close);
                int at = inner.indexOf('@');
                Requirement requirement =
                        at < 0 ? null : Requirement.parse(inner.substring(at + 1));
                String[] names =
                        (at < 0 ? inner : inner.substring(0, at)).substring(1).split("\\.", -1);
                int group = names.length > 1 ? ++groups : 0;
                for (String name : names) {
                    slots.add(slot(name, true, group, requirement, sets));
                }
                i = close + 1;
            } else {
                int end = i + 1;
                while (end < mnemonic.length() && ".{".indexOf(mnemonic.charAt(end)) < 0) {
                    end++;
                }
                slots.add(slot(mnemonic.substring(i + 1, end), false, 0, null, sets));
                i = end;
            }
        }
        return slots;
    }

    private static Slot slot(
            String name,
            boolean optional,
            int group,
            @Nullable Requirement requirement,
            Map<String, List<Choice>> sets) {
        List<Choice> choices = new ArrayList<>();
        for (Choice choice : sets.getOrDefault(name, List.of(new Choice(name, null)))) {
            choices.add(requirement == null ? choice : new Choice(choice.word(), requirement));
        }
        boolean type = choices.stream().allMatch(choice -> isType(choice.word()));
        return new Slot(name, choices, optional, group, type);
    }

    private static OperandForm operand(String text) {
        String rest = text;
        Presence presence = Presence.REQUIRED;
        String condition = "";
        Second second = null;
        int bar = rest.indexOf('|');
        String right = "";
        if (bar > 0) {
            right = rest.substring(bar + 1);
            boolean optional = right.contains("?");
            second = new Second(optional);
            rest = rest.substring(0, bar);
            int colon = right.indexOf(':');
            if (colon >= 0 && rest.indexOf(':') < 0 && rest.charAt(0) == 'p') {
                rest += right.substring(colon);
            }
        } else {
            int question = rest.indexOf('?');
            if (question >= 0) {
                condition = rest.substring(question + 1);
                presence =
                        condition.isEmpty() || condition.equals("middle")
                                ? Presence.OPTIONAL
                                : Presence.CONDITIONAL;
                rest = rest.substring(0, question);
            }
        }
        boolean relaxed = rest.startsWith("~");
        boolean constant = rest.startsWith("#");
        boolean address = rest.startsWith("[");
        rest = relaxed || constant || address ? rest.substring(1) : rest;
        rest = address ? rest.substring(0, rest.length() - 1) : rest;
        int colon = rest.indexOf(':');
        String type = colon < 0 ? "" : rest.substring(colon + 1);
        String name = colon < 0 ? rest : rest.substring(0, colon);
        int star = name.indexOf('*');
        boolean vector = star > 0;
        int count =
                vector && star + 1 < name.length() ? Integer.parseInt(name.substring(star + 1)) : 0;
        name = vector ? name.substring(0, star) : name;
        boolean sink = name.endsWith("_");
        name = sink ? name.substring(0, name.length() - 1) : name;
        Kind kind = address ? Kind.ADDRESS : constant ? Kind.CONSTANT : Kind.VALUE;
        return new OperandForm(
                name, type, kind, presence, condition, relaxed, vector, count, sink, second);
    }
}
