package dev.heddle.ptx.instruction;

import dev.heddle.isa.Notation;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.InstructionForm.OperandForm;
import dev.heddle.ptx.instruction.InstructionForm.Slot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Makes forms of syntax lines; the package documentation describes what operands may say.
public final class FormReader {

    /// Lists that many instructions share.
    private static final String COMMON =
            """
            .rnd = {.rn, .rz, .rm, .rp};
            .half = {.f16, .f16x2};
            .bhalf = {.bf16, .bf16x2};
            .bits = {.b16, .b32, .b64};
            .signed = {.s16, .s32, .s64};
            .unsigned = {.u16, .u32, .u64};
            .eqne = {.eq, .ne};
            .scmp = {.eq, .ne, .lt, .le, .gt, .ge};
            .ucmp = {.eq, .ne, .lt, .le, .gt, .ge, .lo, .ls, .hi, .hs};
            .fcmp = {.eq, .ne, .lt, .le, .gt, .ge, .equ, .neu, .ltu, .leu, .gtu, .geu, .num, .nan};
            .bool = {.and, .or, .xor};
            .scope = {.cta, .cluster [7.8 sm_90], .gpu, .sys};
            .l1 = {.L1::evict_normal, .L1::evict_unchanged, .L1::evict_first, .L1::evict_last, .L1::no_allocate};
            .l2 = {.L2::evict_normal, .L2::evict_first, .L2::evict_last};
            .hint = {.L2::cache_hint};
            .fetch = {.L2::64B [7.4 sm_75], .L2::128B [7.4 sm_75], .L2::256B [7.4 sm_80]};
            .vec = {.v2, .v4, .v8};
            .type = {.b8, .b16, .b32, .b64, .b128 [8.3 sm_70], .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64};
            """;

    private static final Map<String, List<Notation.Choice>> LISTS = Notation.lists(COMMON);

    /// Types that no register has.
    private static final Set<String> OTHER_TYPES =
            Set.of("b1024", "u2", "s2", "u4", "s4", "b1", "b8x16", "b6x16_p32", "b4x16_p64");

    private FormReader() {}

    /// The forms of a text, in order.
    static List<InstructionForm> read(String text) {
        List<InstructionForm> forms = new ArrayList<>();
        for (Notation.Line line : Notation.read(text, LISTS)) {
            forms.add(form(line));
        }
        return forms;
    }

    /// Whether a qualifier names a type.
    public static boolean isType(String word) {
        return ScalarType.of(word) != null || OTHER_TYPES.contains(word);
    }

    private static InstructionForm form(Notation.Line line) {
        List<Slot> slots = new ArrayList<>();
        List<String> literals = new ArrayList<>();
        for (Notation.Place place : line.places()) {
            slots.add(slot(place));
            boolean literal = place.choices().size() == 1 && !place.optional();
            literals.add(literal ? place.name() : "{}");
        }
        int inHead = OpcodePrefixes.count(line.opcode(), literals);
        StringBuilder head = new StringBuilder(line.opcode());
        for (String literal : literals.subList(0, inHead)) {
            head.append('.').append(literal);
        }
        List<OperandForm> operands = new ArrayList<>();
        for (String operand : line.operands()) {
            operands.add(OperandReader.read(operand));
        }
        String[] heading = line.heading().split(" ", -1);
        return new InstructionForm(
                heading[0],
                InstructionKind.valueOf(heading[1]),
                head.toString(),
                slots.subList(inHead, slots.size()),
                operands,
                line.requirement(),
                line.text());
    }

    private static Slot slot(Notation.Place place) {
        boolean type = true;
        for (Notation.Choice choice : place.choices()) {
            type &= isType(choice.word());
        }
        return new Slot(place.name(), place.choices(), place.optional(), place.group(), type);
    }
}
