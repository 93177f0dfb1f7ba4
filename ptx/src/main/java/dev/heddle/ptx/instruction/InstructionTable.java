package dev.heddle.ptx.instruction;

import dev.heddle.isa.Notation.Choice;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// All syntax lines, by head.
public final class InstructionTable {

    /// Opcodes whose qualifiers and operands are not in the table; only the names in their operands
    /// are checked.
    public static final Set<String> OPEN =
            Set.of(
                    ("call mma tcgen05 tex tld4 txq suld sust sured suq istypep multimem vadd vsub"
                         + " vabsdiff vmin vmax vshl vshr vmad vset vadd2 vsub2 vavrg2 vabsdiff2"
                         + " vmin2 vmax2 vset2 vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 vset4")
                            .split(" ", -1));

    private static final Map<String, List<InstructionForm>> BY_HEAD = new HashMap<>();
    private static final List<InstructionForm> ALL;
    private static final Set<String> OPCODES = new HashSet<>(OPEN);
    private static final Set<String> QUALIFIERS = new HashSet<>();

    static {
        ALL =
                FormReader.read(
                        ArithmeticForms.INTEGER,
                        ArithmeticForms.FLOATING_POINT,
                        ArithmeticForms.HALF_PRECISION,
                        LogicForms.COMPARISON,
                        LogicForms.LOGIC,
                        LogicForms.MOVES,
                        LogicForms.CONVERSION,
                        MemoryForms.LOADS,
                        MemoryForms.COPIES,
                        MemoryForms.ATOMICS,
                        SynchronizationForms.TEXT,
                        WmmaForms.TEXT);
        for (InstructionForm form : ALL) {
            BY_HEAD.computeIfAbsent(form.head(), _ -> new ArrayList<>()).add(form);
            String head = form.head();
            int dot = head.indexOf('.');
            OPCODES.add(dot < 0 ? head : head.substring(0, dot));
            if (dot > 0) {
                QUALIFIERS.add(head.substring(dot + 1));
            }
            for (InstructionForm.Slot slot : form.slots()) {
                for (Choice choice : slot.choices()) {
                    QUALIFIERS.add(choice.word());
                }
            }
        }
    }

    private InstructionTable() {}

    /// In the order of the manual.
    public static List<InstructionForm> all() {
        return ALL;
    }

    public static List<InstructionForm> of(String head) {
        return BY_HEAD.getOrDefault(head, List.of());
    }

    public static Set<String> opcodes() {
        return OPCODES;
    }

    public static boolean isQualifier(String word) {
        return QUALIFIERS.contains(word);
    }

    public static Set<String> qualifiers() {
        return QUALIFIERS;
    }

    /// How many syntax lines the table has.
    public static int count() {
        return ALL.size();
    }

    /// The heads that begin with this opcode, in order.
    public static List<String> headsOf(String opcode) {
        return BY_HEAD.keySet().stream()
                .filter(head -> head.equals(opcode) || head.startsWith(opcode + "."))
                .sorted()
                .toList();
    }
}
