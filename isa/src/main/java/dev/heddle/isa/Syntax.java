package dev.heddle.isa;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// One syntax line of the manual: what may fill each place of the opcode, which operands follow,
/// and what the line requires.
///
/// @param family      the instruction
/// @param section     the section of PTX ISA 9.1 that has the line
/// @param places      the words allowed in each place; `""` among them where the place may stay
///         empty
/// @param operands    the manual's operand names in order, those of a tuple one by one
/// @param requirement version and targets
/// @param text        the line as written
public record Syntax(
        Family family,
        String section,
        Map<Qualifier, List<String>> places,
        List<String> operands,
        Requirement requirement,
        String text) {

    private static final List<Qualifier> TYPE_PLACES =
            List.of(
                    Qualifier.DTYPE,
                    Qualifier.ATYPE,
                    Qualifier.BTYPE,
                    Qualifier.CTYPE,
                    Qualifier.STYPE);

    public Syntax {
        places = Map.copyOf(places);
        operands = List.copyOf(operands);
    }

    /// The place that `word` fills when the places in `filled` are taken, or null for a word that
    /// chooses nothing (`sync`, the mnemonic).
    static @Nullable Qualifier place(
            String word, Map<Qualifier, List<String>> filled, int typesBefore) {
        return switch (word) {
            case "row", "col" ->
                    filled.containsKey(Qualifier.ALAYOUT) ? Qualifier.BLAYOUT : Qualifier.ALAYOUT;
            case "satfinite" -> Qualifier.SATFINITE;
            case "block_scale" -> Qualifier.BLOCK_SCALE;
            case "xor", "and" -> Qualifier.BIT_OPERATION;
            case "rn", "rz", "rm", "rp" -> Qualifier.ROUNDING;
            default -> {
                if (Qualifier.isShape(word)) {
                    yield Qualifier.SHAPE;
                }
                if (word.startsWith("kind::")) {
                    yield Qualifier.KIND;
                }
                if (word.startsWith("scale_vec::")) {
                    yield Qualifier.SCALE_VECTOR;
                }
                yield Qualifier.isType(word) ? TYPE_PLACES.get(typesBefore) : null;
            }
        };
    }

    /// Whether the opcode fits this line in every place.
    boolean matches(Opcode opcode) {
        return misfits(opcode).isEmpty();
    }

    /// The places in which the opcode does not fit this line.
    List<Qualifier> misfits(Opcode opcode) {
        List<Qualifier> misfits = new ArrayList<>();
        for (Qualifier place : Qualifier.values()) {
            if (!places.getOrDefault(place, List.of("")).contains(opcode.get(place))) {
                misfits.add(place);
            }
        }
        return misfits;
    }

    /// The words allowed in a place; the empty string alone if the line does not have it.
    List<String> allowed(Qualifier place) {
        return places.getOrDefault(place, List.of(""));
    }

    /// Every form of this line that no rule forbids.
    List<Form> forms() {
        List<Form> forms = new ArrayList<>();
        expand(0, new EnumMap<>(Qualifier.class), forms);
        return forms;
    }

    private void expand(int index, Map<Qualifier, String> chosen, List<Form> forms) {
        if (index == Qualifier.values().length) {
            if (Combinations.broken(family, chosen).isEmpty()) {
                forms.add(new Form(this, chosen));
            }
            return;
        }
        Qualifier place = Qualifier.values()[index];
        for (String word : allowed(place)) {
            if (!word.isEmpty()) {
                chosen.put(place, word);
            }
            expand(index + 1, chosen, forms);
            chosen.remove(place);
        }
    }
}
