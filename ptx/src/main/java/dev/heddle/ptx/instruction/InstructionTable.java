package dev.heddle.ptx.instruction;

import dev.heddle.isa.Notation.Choice;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// All syntax lines, by head.
///
/// A block of the table is read when an instruction of it is first asked for: a kernel has some
/// dozen opcodes, and reading the whole table would take longer than parsing it.
public final class InstructionTable {

    private static final List<String> TEXTS =
            List.of(
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
                    WmmaForms.TEXT,
                    TextureForms.TEXT,
                    VideoForms.TEXT);

    /// Instructions whose qualifiers and operands this table leaves open: the products, which are
    /// in [dev.heddle.isa.Manual]; `call`, whose operands depend on what is called; and what the
    /// table does not have yet, of which only the names in operands are checked.
    static final String OPEN_FORMS =
            """
            9.7.12.5 CALL
            call;
            9.7.14.5.14 MATRIX_MULTIPLY
            mma;
            9.7.15.5.2 WARPGROUP_MULTIPLY
            wgmma.mma_async;
            9.7.9.14 MULTIMEM
            multimem.cp.async.bulk;
            multimem.cp.reduce.async.bulk;
            9.7.16 TENSOR_MEMORY
            tcgen05;
            """;

    private static final List<Block> BLOCKS = new ArrayList<>();
    private static final Map<String, List<Block>> BY_OPCODE = new LinkedHashMap<>();
    private static final Map<String, InstructionForm> OPEN = new HashMap<>();
    private static final Map<String, List<InstructionForm>> BY_HEAD = new ConcurrentHashMap<>();

    static {
        TEXTS.forEach(InstructionTable::index);
        for (InstructionForm form : FormReader.read(OPEN_FORMS)) {
            OPEN.put(form.head(), form);
            BY_OPCODE.computeIfAbsent(opcode(form.head()), _ -> new ArrayList<>());
        }
    }

    private InstructionTable() {}

    /// The lines of one heading.
    private static final class Block {
        private final StringBuilder text = new StringBuilder();
        private @Nullable List<InstructionForm> forms;

        synchronized List<InstructionForm> forms() {
            List<InstructionForm> read = forms;
            if (read == null) {
                read = FormReader.read(text.toString());
                forms = read;
            }
            return read;
        }
    }

    /// What only the whole table says; messages alone ask for it.
    private static final class Whole {
        static final List<InstructionForm> FORMS = new ArrayList<>();
        static final Set<String> QUALIFIERS = new HashSet<>();

        static {
            for (Block block : BLOCKS) {
                FORMS.addAll(block.forms());
            }
            for (InstructionForm form : FORMS) {
                int dot = form.head().indexOf('.');
                if (dot > 0) {
                    QUALIFIERS.add(form.head().substring(dot + 1));
                }
                for (InstructionForm.Slot slot : form.slots()) {
                    for (Choice choice : slot.choices()) {
                        QUALIFIERS.add(choice.word());
                    }
                }
            }
        }
    }

    private static void index(String text) {
        Block block = new Block();
        for (String line : text.lines().toList()) {
            char first = line.charAt(0);
            if (Character.isDigit(first)) {
                block = new Block();
                BLOCKS.add(block);
            } else if (first != '.') {
                List<Block> blocks =
                        BY_OPCODE.computeIfAbsent(opcode(line), _ -> new ArrayList<>());
                if (blocks.isEmpty() || blocks.getLast() != block) {
                    blocks.add(block);
                }
            }
            block.text.append(line).append('\n');
        }
    }

    /// The first word of a line or head.
    private static String opcode(String line) {
        int end = 0;
        while (end < line.length() && ".{ ;".indexOf(line.charAt(end)) < 0) {
            end++;
        }
        return line.substring(0, end);
    }

    /// In the order of the manual.
    public static List<InstructionForm> all() {
        return Collections.unmodifiableList(Whole.FORMS);
    }

    /// The forms of one head.
    ///
    /// @param head the opcode with the qualifiers that belong to it
    public static List<InstructionForm> of(String head) {
        return BY_HEAD.computeIfAbsent(head, InstructionTable::find);
    }

    private static List<InstructionForm> find(String head) {
        List<InstructionForm> found = new ArrayList<>();
        for (Block block : BY_OPCODE.getOrDefault(opcode(head), List.of())) {
            for (InstructionForm form : block.forms()) {
                if (form.head().equals(head)) {
                    found.add(form);
                }
            }
        }
        return List.copyOf(found);
    }

    /// The form that leaves the qualifiers and operands of this opcode open, or null.
    static @Nullable InstructionForm open(String head) {
        InstructionForm form = OPEN.get(head);
        return form == null ? OPEN.get(opcode(head)) : form;
    }

    /// Every opcode there is.
    public static Set<String> opcodes() {
        return Collections.unmodifiableSet(BY_OPCODE.keySet());
    }

    /// Whether some instruction has this qualifier.
    public static boolean isQualifier(String word) {
        return Whole.QUALIFIERS.contains(word);
    }

    /// Every qualifier there is.
    public static Set<String> qualifiers() {
        return Collections.unmodifiableSet(Whole.QUALIFIERS);
    }

    /// How many syntax lines the table has.
    public static int count() {
        return Whole.FORMS.size();
    }

    /// The heads that begin with this opcode, in order.
    public static List<String> headsOf(String opcode) {
        Set<String> heads = new HashSet<>();
        for (Block block : BY_OPCODE.getOrDefault(opcode(opcode), List.of())) {
            for (InstructionForm form : block.forms()) {
                if (form.head().equals(opcode) || form.head().startsWith(opcode + ".")) {
                    heads.add(form.head());
                }
            }
        }
        return heads.stream().sorted().toList();
    }
}
