package dev.heddle.isa;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What an opcode or an instruction is, and every rule it breaks.
///
/// @param opcode     the opcode, taken apart
/// @param forms      the forms it names: one, two for a bare wgmma opcode, none if it is not legal
/// @param violations every broken rule
/// @param nearest    legal opcodes close by, if it names none
public record Legality(
        Opcode opcode, List<Form> forms, List<Violation> violations, List<String> nearest) {
    private static final int NEAREST = 3;
    private static final int LINES_TRIED = 12;
    private static final int PLACE_WEIGHT = 100;

    /// An opcode that misses more than this is told a whole other one.
    private static final int MANY = 3;

    public Legality {
        forms = List.copyOf(forms);
        violations = List.copyOf(violations);
        nearest = List.copyOf(nearest);
    }

    /// Whether an assembler takes it.
    public boolean legal() {
        return violations.stream().noneMatch(v -> v.verdict() == Verdict.INVALID);
    }

    /// What the opcode alone says.
    ///
    /// @throws IllegalArgumentException if it is no matrix opcode at all
    public static Legality ofOpcode(String opcode) {
        Opcode parsed = Opcode.parse(opcode);
        List<Syntax> lines = Manual.syntaxes(parsed.family());
        List<Violation> violations = new ArrayList<>();
        parsed.violations().forEach(v -> violations.add(v.in(parsed.family().section())));
        List<Syntax> matching = lines.stream().filter(line -> line.matches(parsed)).toList();
        if (matching.isEmpty()) {
            if (violations.isEmpty()) {
                violations.add(misfit(parsed, lines));
            }
            return new Legality(parsed, List.of(), violations, nearest(parsed, lines));
        }
        violations.addAll(Combinations.broken(parsed.family(), parsed.qualifiers()));
        if (!violations.isEmpty()) {
            return new Legality(parsed, List.of(), violations, nearest(parsed, lines));
        }
        return new Legality(
                parsed,
                matching.stream().map(line -> new Form(line, parsed.qualifiers())).toList(),
                List.of(),
                List.of());
    }

    /// What a whole instruction says: its opcode, and its operands where it has them.
    ///
    /// @throws IllegalArgumentException if it is no matrix instruction at all
    public static Legality of(SourceInstruction instruction) {
        Legality bare = ofOpcode(instruction.opcode());
        if (bare.forms.isEmpty() || instruction.operands().isEmpty()) {
            return bare;
        }
        List<SourceOperand> operands = instruction.operands().get();
        Form form = chosen(bare.forms, operands);
        return new Legality(
                bare.opcode, List.of(form), OperandRules.broken(form, operands), List.of());
    }

    /// The same, in a module with that `.target` and `.version`.
    public Legality on(Target target, PtxVersion version) {
        List<Violation> more = new ArrayList<>(violations);
        if (!version.atLeast(target.since())) {
            more.add(
                    new Violation(
                            Rule.VERSION_TOO_LOW,
                            -1,
                            ".version " + version + " with .target " + target,
                            ".version " + target.since() + " or newer",
                            "11.1.2"));
        }
        if (!forms.isEmpty()) {
            Requirement requirement = forms.getFirst().requirement();
            String section = opcode.family().section();
            more.addAll(tooOld(version));
            if (!requirement.targets().include(target)) {
                more.add(
                        Violation.of(
                                        Rule.UNSUPPORTED_TARGET,
                                        target.toString(),
                                        requirement.targets().toString())
                                .in(section));
            }
        }
        return new Legality(opcode, forms, more, nearest);
    }

    /// The same, in a module with that `.version`, on any target.
    public Legality since(PtxVersion version) {
        List<Violation> more = new ArrayList<>(violations);
        more.addAll(tooOld(version));
        return new Legality(opcode, forms, more, nearest);
    }

    private List<Violation> tooOld(PtxVersion version) {
        if (forms.isEmpty() || version.atLeast(forms.getFirst().requirement().version())) {
            return List.of();
        }
        return List.of(
                Violation.of(
                                Rule.VERSION_TOO_LOW,
                                ".version " + version,
                                ".version "
                                        + forms.getFirst().requirement().version()
                                        + " or newer")
                        .in(opcode.family().section()));
    }

    /// Of the forms of one opcode, the one that takes A from where the second operand is.
    private static Form chosen(List<Form> forms, List<SourceOperand> operands) {
        boolean vector = operands.size() > 1 && operands.get(1) instanceof SourceOperand.Vector;
        ASource source = vector ? ASource.REGISTERS : ASource.SHARED_MEMORY;
        return forms.stream()
                .filter(form -> form.aSource() == source)
                .findFirst()
                .orElse(forms.getFirst());
    }

    /// The one violation of an opcode that fits no line: the fewest places to change, and to what.
    private static Violation misfit(Opcode opcode, List<Syntax> lines) {
        int fewest =
                lines.stream().mapToInt(line -> line.misfits(opcode).size()).min().orElseThrow();
        Map<Set<Qualifier>, Map<Qualifier, Set<String>>> ways = new LinkedHashMap<>();
        for (Syntax line : lines) {
            List<Qualifier> places = line.misfits(opcode);
            if (places.size() == fewest) {
                Map<Qualifier, Set<String>> way =
                        ways.computeIfAbsent(EnumSet.copyOf(places), key -> new LinkedHashMap<>());
                for (Qualifier place : places) {
                    way.computeIfAbsent(place, key -> new LinkedHashSet<>())
                            .addAll(line.allowed(place));
                }
            }
        }
        List<Map<Qualifier, Set<String>>> shown = ways.values().stream().limit(NEAREST).toList();
        String found =
                String.join(
                        ", ",
                        shown.stream()
                                .flatMap(way -> way.keySet().stream())
                                .distinct()
                                .map(place -> found(opcode, place))
                                .toList());
        List<String> allowed = new ArrayList<>(otherSparsity(opcode));
        List<String> close = nearest(opcode, lines);
        if (fewest > MANY && !close.isEmpty()) {
            allowed.add("an opcode such as " + close.getFirst());
        } else {
            shown.forEach(way -> allowed.add(describe(way)));
        }
        return Violation.of(Rule.NO_SUCH_FORM, found, String.join("; or ", allowed))
                .in(opcode.family().section());
    }

    /// The other way to order metadata, where that has the opcode.
    private static List<String> otherSparsity(Opcode opcode) {
        Family other =
                switch (opcode.family()) {
                    case MMA_SP -> Family.MMA_SP_ORDERED;
                    case MMA_SP_ORDERED -> Family.MMA_SP;
                    case MMA, WGMMA, WGMMA_SP -> opcode.family();
                };
        return Manual.syntaxes(other).stream().anyMatch(line -> line.matches(opcode))
                ? List.of(other.mnemonic())
                : List.of();
    }

    private static String found(Opcode opcode, Qualifier place) {
        String word = opcode.get(place);
        return word.isEmpty() ? "no " + place.manualName() : label(place, word) + "." + word;
    }

    /// What to call a place before its word; nothing where the word says so itself.
    private static String label(Qualifier place, String word) {
        return switch (place) {
            case KIND, SCALE_VECTOR, SATFINITE, BLOCK_SCALE ->
                    word.isEmpty() ? place.manualName() + " " : "";
            case SHAPE,
                    ALAYOUT,
                    BLAYOUT,
                    DTYPE,
                    ATYPE,
                    BTYPE,
                    CTYPE,
                    STYPE,
                    BIT_OPERATION,
                    ROUNDING ->
                    place.manualName() + " ";
        };
    }

    private static String describe(Map<Qualifier, Set<String>> way) {
        List<String> parts = new ArrayList<>();
        way.forEach(
                (place, words) ->
                        parts.add(label(place, words.iterator().next()) + choices(words)));
        return String.join(" and ", parts);
    }

    private static String choices(Set<String> words) {
        List<String> shown =
                words.stream().map(word -> word.isEmpty() ? "left out" : "." + word).toList();
        return shown.size() > 12
                ? String.join(", ", shown.subList(0, 6)) + " … " + shown.getLast()
                : String.join(", ", shown);
    }

    private static List<String> nearest(Opcode opcode, List<Syntax> lines) {
        List<Syntax> close =
                lines.stream()
                        .sorted(Comparator.comparingInt(line -> line.misfits(opcode).size()))
                        .limit(LINES_TRIED)
                        .toList();
        Map<String, Integer> distances = new LinkedHashMap<>();
        for (Syntax line : close) {
            adapted(opcode, line)
                    .ifPresent(form -> distances.putIfAbsent(form.opcode(), changes(opcode, form)));
        }
        return distances.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .limit(NEAREST)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// How much a form differs: places first, letters in these next.
    private static int changes(Opcode opcode, Form form) {
        int changes = 0;
        for (Qualifier place : Qualifier.values()) {
            int letters = Suggestion.distance(opcode.get(place), form.word(place));
            changes += letters == 0 ? 0 : PLACE_WEIGHT + letters;
        }
        return changes;
    }

    /// The opcode with the places that do not fit the line filled by the line's nearest words.
    private static Optional<Form> adapted(Opcode opcode, Syntax line) {
        Map<Qualifier, String> words = new LinkedHashMap<>();
        for (Qualifier place : Qualifier.values()) {
            List<String> allowed = line.allowed(place);
            String word = opcode.get(place);
            String kept =
                    allowed.contains(word)
                            ? word
                            : Collections.min(
                                    allowed,
                                    Comparator.comparingInt(
                                            other -> Suggestion.distance(word, other)));
            if (!kept.isEmpty()) {
                words.put(place, kept);
            }
        }
        if (!Combinations.broken(line.family(), words).isEmpty()
                && words.containsKey(Qualifier.CTYPE)) {
            words.put(Qualifier.DTYPE, words.getOrDefault(Qualifier.CTYPE, ""));
            words.put(Qualifier.BTYPE, words.getOrDefault(Qualifier.ATYPE, ""));
        }
        return Combinations.broken(line.family(), words).isEmpty()
                ? Optional.of(new Form(line, words))
                : Optional.empty();
    }
}
