package dev.heddle.ptx.instruction;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Notation.Choice;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.InstructionForm.OperandForm;
import dev.heddle.ptx.instruction.InstructionForm.Presence;
import dev.heddle.ptx.instruction.InstructionForm.Slot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/// How the qualifiers of one instruction fill the slots of one form.
public final class FormMatch {

    /// The assembler takes these twice; all others once.
    private static final Set<String> REPEATABLE =
            Set.of("sync", "uni", "sat", "satfinite", "approx", "cc", "relu", "NaN", "shiftamt");

    /// What may appear before the colons of a state space.
    private static final Set<String> SPACES = Set.of("global", "shared", "local", "param", "const");

    /// Words that keep their order, besides types and state spaces.
    private static final List<Set<String>> ORDERED =
            List.of(Set.of("row", "col"), Set.of("and", "xor", "popc"));

    /// What an example shows where several would do.
    private static final List<String> USUAL =
            List.of("s32", "b32", "f32", "u64", "rn", "rni", "add", "gpu", "global", "acquire");

    private final InstructionForm form;
    private final @Nullable Choice[] filled;
    private final List<String> unplaced = new ArrayList<>();
    private final List<Slot> missing = new ArrayList<>();
    private final List<ScalarType> types = new ArrayList<>();
    private final Map<Integer, List<OperandForm>> places = new HashMap<>();
    private @Nullable Form product;
    private boolean open;

    private FormMatch(InstructionForm form) {
        this.form = form;
        this.filled = new @Nullable Choice[form.slots().size()];
    }

    /// Puts qualifiers into the places of a form, as far as they go.
    ///
    /// @param qualifiers those behind the head
    public static FormMatch of(InstructionForm form, List<String> qualifiers) {
        FormMatch match = new FormMatch(form);
        int type = 0;
        for (String qualifier : qualifiers) {
            if (FormReader.isType(qualifier)) {
                type = match.placeType(qualifier, type);
            } else {
                match.place(qualifier);
            }
        }
        match.findMissing();
        match.findTypes();
        return match;
    }

    /// The match of a form that leaves its qualifiers open.
    static FormMatch open(InstructionForm form, List<String> qualifiers) {
        FormMatch match = new FormMatch(form);
        match.open = true;
        for (String qualifier : qualifiers) {
            ScalarType type = ScalarType.of(qualifier);
            if (type != null) {
                match.types.add(type);
            }
        }
        return match;
    }

    /// Types keep their order: each goes to the next type slot that takes it.
    private int placeType(String word, int from) {
        for (int i = from; i < filled.length; i++) {
            Slot slot = form.slots().get(i);
            Choice choice = slot.type() || slot.choice(word) != null ? slot.choice(word) : null;
            if (choice != null && filled[i] == null) {
                filled[i] = choice;
                return i + 1;
            }
            if (slot.type() && !slot.optional()) {
                break;
            }
        }
        unplaced.add(word);
        return from;
    }

    /// Words of one list keep their order, too: a copy names where to before where from, a product
    /// the layout of A before that of B and how bits are combined before how they are counted.
    private void place(String word) {
        int from = 0;
        for (int i = 0; i < filled.length; i++) {
            from = filled[i] != null && areOrdered(filled[i].word(), word) ? i + 1 : from;
        }
        for (int i = from; i < filled.length; i++) {
            Choice choice = filled[i] == null ? form.slots().get(i).choice(word) : null;
            if (choice != null) {
                filled[i] = choice;
                return;
            }
        }
        if (!REPEATABLE.contains(word) || !holds(word)) {
            unplaced.add(word);
        }
    }

    private static boolean areOrdered(String first, String second) {
        if (isSpace(second)) {
            return isSpace(first);
        }
        for (Set<String> list : ORDERED) {
            if (list.contains(second)) {
                return list.contains(first);
            }
        }
        return false;
    }

    private boolean holds(String word) {
        for (Choice choice : filled) {
            if (choice != null && choice.word().equals(word)) {
                return true;
            }
        }
        return false;
    }

    private void findMissing() {
        for (int i = 0; i < filled.length; i++) {
            Slot slot = form.slots().get(i);
            if (filled[i] == null && (!slot.optional() || groupBegun(slot.group()))) {
                missing.add(slot);
            }
        }
    }

    private void findTypes() {
        for (Choice choice : filled) {
            ScalarType type = choice == null ? null : ScalarType.of(choice.word());
            if (type != null) {
                types.add(type);
            }
        }
    }

    private boolean groupBegun(int group) {
        if (group == 0) {
            return false;
        }
        for (int i = 0; i < filled.length; i++) {
            if (form.slots().get(i).group() == group && filled[i] != null) {
                return true;
            }
        }
        return false;
    }

    /// The form.
    public InstructionForm form() {
        return form;
    }

    /// Whether every qualifier has its place, and every place that needs one its qualifier.
    public boolean fits() {
        return unplaced.isEmpty() && missing.isEmpty();
    }

    /// How far the instruction is from the form. A wrong type is nearer than a wrong operation.
    public int distance() {
        int distance = 0;
        for (String word : unplaced) {
            distance += FormReader.isType(word) ? 2 : 3;
        }
        for (Slot slot : missing) {
            distance += slot.type() ? 2 : 3;
        }
        return distance;
    }

    /// The qualifiers that found no place.
    public List<String> unplaced() {
        return unplaced;
    }

    /// The places that lack their qualifier.
    public List<Slot> missing() {
        return missing;
    }

    /// What fills the place that a qualifier could have had, or null where the form has none.
    public @Nullable Choice filledInsteadOf(String word) {
        for (int i = 0; i < filled.length; i++) {
            if (filled[i] != null && form.slots().get(i).choice(word) != null) {
                return filled[i];
            }
        }
        return null;
    }

    /// The mnemonic with something in every place that must be filled.
    public String example() {
        StringBuilder example = new StringBuilder(form.head());
        for (int i = 0; i < filled.length; i++) {
            Slot slot = form.slots().get(i);
            Choice choice = filled[i];
            if (choice != null) {
                example.append('.').append(choice.word());
            } else if (missing.contains(slot)) {
                example.append('.').append(usual(slot));
            }
        }
        return example.toString();
    }

    private static String usual(Slot slot) {
        for (String word : USUAL) {
            if (slot.choice(word) != null) {
                return word;
            }
        }
        return slot.choices().getFirst().word();
    }

    /// The mnemonic, with the qualifiers in the order of the table.
    public String mnemonic() {
        StringJoiner mnemonic = new StringJoiner(".");
        mnemonic.add(form.head());
        for (Slot slot : form.slots()) {
            String word = word(slot.name());
            if (word != null) {
                mnemonic.add(word);
            }
        }
        return mnemonic.toString();
    }

    /// The qualifier in the slot of this name, or null.
    public @Nullable String word(String slotName) {
        for (int i = 0; i < filled.length; i++) {
            Choice choice = filled[i];
            if (choice != null && form.slots().get(i).name().equals(slotName)) {
                return choice.word();
            }
        }
        return null;
    }

    /// The types among the words, in order.
    public List<ScalarType> types() {
        return Collections.unmodifiableList(types);
    }

    /// The type that the instruction ends in, or null where it has none.
    public @Nullable ScalarType lastType() {
        return types.isEmpty() ? null : types.getLast();
    }

    /// Whether the table leaves qualifiers and operands of the form open
    /// ([InstructionTable#OPEN_FORMS]).
    boolean isOpen() {
        return open;
    }

    /// The form of a product of this mnemonic with A from there, sought once.
    Form product(String mnemonic, ASource source) {
        Form found = product;
        if (found == null || found.aSource() != source) {
            found = Form.of(mnemonic, source);
            product = found;
        }
        return found;
    }

    /// The places that these words and so many operands leave. Fewer or more of them than operands
    /// mean that the operands do not fit.
    public List<OperandForm> places(int operands) {
        return places.computeIfAbsent(operands, this::findPlaces);
    }

    private List<OperandForm> findPlaces(int operands) {
        List<OperandForm> found = new ArrayList<>();
        int optional = 0;
        for (OperandForm operand : form.operands()) {
            if (stands(operand)) {
                found.add(operand);
                optional += operand.presence() == Presence.OPTIONAL ? 1 : 0;
            }
        }
        int surplus = found.size() - operands;
        for (int i = found.size() - 1; i >= 0 && surplus > 0 && optional > 0; i--) {
            if (found.get(i).presence() == Presence.OPTIONAL) {
                found.remove(i);
                surplus--;
                optional--;
            }
        }
        return List.copyOf(found);
    }

    /// Whether the words chosen have a place for this operand.
    public boolean stands(OperandForm operand) {
        if (operand.presence() != Presence.CONDITIONAL) {
            return true;
        }
        if (operand.condition().equals("offsets")) {
            String load = word("load");
            return load != null && load.startsWith("im2col");
        }
        return word(operand.condition()) != null;
    }

    /// The type of an operand, or null where any may appear.
    public @Nullable ScalarType typeOf(OperandForm place) {
        String rule = place.type();
        if (rule.isEmpty() || rule.equals("variable")) {
            return lastType();
        }
        if (rule.equals("wide")) {
            ScalarType narrow = lastType();
            return narrow == null
                    ? null
                    : ScalarType.of(narrow.keyword().charAt(0) + "" + 2 * narrow.bits());
        }
        if (rule.charAt(0) == '.') {
            String word = word(rule.substring(1));
            return word == null ? null : ScalarType.of(word);
        }
        return ScalarType.of(rule);
    }

    /// What the filled slots ask for.
    public List<Choice> demands() {
        List<Choice> demands = new ArrayList<>();
        for (Choice choice : filled) {
            if (choice != null && choice.requirement() != null) {
                demands.add(choice);
            }
        }
        return demands;
    }

    /// How many registers are in a vector operand: 1 unless a vector qualifier or a matrix count
    /// says otherwise. A tile of 16x16 bytes takes two registers of a lane, all others one.
    public int vector() {
        int registers = 1;
        for (Choice choice : filled) {
            if (choice != null) {
                registers *=
                        switch (choice.word()) {
                            case "v2", "x2", "m16n16" -> 2;
                            case "v4", "x4" -> 4;
                            case "v8" -> 8;
                            default -> 1;
                        };
            }
        }
        return registers;
    }

    /// The state space that an address must be in, or null where any may be.
    public @Nullable String space() {
        for (Choice choice : filled) {
            if (choice != null && isSpace(choice.word())) {
                return root(choice.word());
            }
        }
        return null;
    }

    private static boolean isSpace(String word) {
        return SPACES.contains(root(word));
    }

    private static String root(String word) {
        int colon = word.indexOf("::");
        return colon < 0 ? word : word.substring(0, colon);
    }
}
