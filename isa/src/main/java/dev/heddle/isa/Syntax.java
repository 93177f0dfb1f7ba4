package dev.heddle.isa;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    public Syntax {
        places = Map.copyOf(places);
        operands = List.copyOf(operands);
    }

    /// The syntaxes of blocks in the notation of [Notation], in order.
    static List<Syntax> read(String section, String blocks) {
        List<Syntax> syntaxes = new ArrayList<>();
        for (Notation.Line line : Notation.read(blocks)) {
            for (Family family : families(line)) {
                syntaxes.add(of(family, section, line));
            }
        }
        return List.copyOf(syntaxes);
    }

    private static List<Family> families(Notation.Line line) {
        Notation.Place first = line.places().getFirst();
        if (line.opcode().equals("wgmma")) {
            boolean sparse = line.places().get(1).name().equals("sp");
            return List.of(sparse ? Family.WGMMA_SP : Family.WGMMA);
        }
        if (!first.name().equals("spvariant")) {
            return List.of(Family.MMA);
        }
        List<Family> families = new ArrayList<>();
        for (String variant : first.words()) {
            families.add(Family.parse("mma." + variant));
        }
        return families;
    }

    private static Syntax of(Family family, String section, Notation.Line line) {
        Requirement requirement = line.requirement();
        if (requirement == null) {
            throw new IllegalStateException("no requirement: " + line.text());
        }
        List<String> operands = new ArrayList<>();
        for (String operand : line.operands()) {
            operands.add(operand.replace("{", "").replace("}", ""));
        }
        return new Syntax(
                family,
                section,
                places(line),
                operands,
                requirement.notBefore(family.since()),
                line.text());
    }

    private static Map<Qualifier, List<String>> places(Notation.Line line) {
        Map<Qualifier, List<String>> places = new EnumMap<>(Qualifier.class);
        int types = 0;
        for (Notation.Place read : line.places()) {
            List<String> values = read.words();
            Qualifier place = place(values.getFirst(), places.keySet(), types);
            if (place != null) {
                types += Qualifier.isType(values.getFirst()) ? 1 : 0;
                if (read.optional()) {
                    values.addFirst("");
                }
                places.put(place, List.copyOf(values));
            }
        }
        return places;
    }

    /// The place that `word` fills when the places in `filled` are taken, or null for a word that
    /// chooses nothing (`sync`, the mnemonic).
    static @Nullable Qualifier place(String word, Set<Qualifier> filled, int typesBefore) {
        return switch (word) {
            case "row", "col" ->
                    filled.contains(Qualifier.ALAYOUT) ? Qualifier.BLAYOUT : Qualifier.ALAYOUT;
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
                yield Qualifier.isType(word) ? Qualifier.TYPE_PLACES.get(typesBefore) : null;
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
        List<Qualifier> filled = places.keySet().stream().sorted().toList();
        expand(filled, new EnumMap<>(Qualifier.class), forms);
        return forms;
    }

    /// Fills the places that are left in every way.
    private void expand(List<Qualifier> left, Map<Qualifier, String> chosen, List<Form> forms) {
        if (left.isEmpty()) {
            if (Combinations.broken(family, chosen).isEmpty()) {
                forms.add(new Form(this, chosen));
            }
            return;
        }
        Qualifier place = left.getFirst();
        for (String word : allowed(place)) {
            if (!word.isEmpty()) {
                chosen.put(place, word);
            }
            expand(left.subList(1, left.size()), chosen, forms);
            chosen.remove(place);
        }
    }
}
