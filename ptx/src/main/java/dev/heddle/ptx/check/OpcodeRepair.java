package dev.heddle.ptx.check;

import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Notation.Choice;
import dev.heddle.isa.Suggestion;
import dev.heddle.ptx.Edit;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.FormMatcher;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionForm.Slot;
import dev.heddle.ptx.instruction.InstructionTable;
import dev.heddle.ptx.instruction.OpcodePrefixes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The one mnemonic that can be meant by one that no instruction has.
///
/// Tried is what a single slip makes of a legal mnemonic: a word misspelt by a letter (one too
/// many, one too few, a wrong one, two swapped) or in its case, a word written twice, qualifiers
/// that must be there left out. Where exactly one mnemonic is a slip away with which the whole
/// instruction is legal, its operands as they are, that one is meant.
final class OpcodeRepair {
    /// More ways to fill the places that are empty mean that nothing is certain.
    private static final int MOST_FILLINGS = 64;

    private final Instruction wrong;
    private final Predicate<Instruction> legal;
    private final Map<String, Edit> meant = new LinkedHashMap<>();
    private boolean uncertain;

    private OpcodeRepair(Instruction wrong, Predicate<Instruction> legal) {
        this.wrong = wrong;
        this.legal = legal;
    }

    /// What to write, or null where that is not certain.
    ///
    /// @param matches the forms that mnemonics fill
    /// @param legal whether an instruction would be taken in the place of the wrong one
    static @Nullable Edit of(Instruction wrong, FormMatcher matches, Predicate<Instruction> legal) {
        OpcodeRepair repair = new OpcodeRepair(wrong, legal);
        repair.respell();
        repair.dropRepeated();
        if (matches.of(wrong).isProduct()) {
            repair.synchronize();
        } else {
            repair.fill();
        }
        return repair.meant.size() == 1 && !repair.uncertain
                ? repair.meant.values().iterator().next()
                : null;
    }

    /// Every qualifier of every instruction. Only wrong instructions ask for it.
    private static final class Vocabulary {
        static final Set<String> QUALIFIERS = new TreeSet<>(InstructionTable.qualifiers());

        static {
            for (Form form : Forms.all()) {
                String opcode = form.opcode();
                List<String> words = Arrays.asList(opcode.split("\\.", -1));
                QUALIFIERS.addAll(words.subList(1, words.size()));
            }
        }
    }

    private void respell() {
        if (!InstructionTable.opcodes().contains(wrong.opcode())) {
            for (String near : slips(wrong.opcode(), InstructionTable.opcodes())) {
                propose(near, wrong.qualifiers(), new Edit(wrong.position(), wrong.opcode(), near));
            }
        }
        for (int i = 0; i < wrong.qualifiers().size(); i++) {
            String word = wrong.qualifiers().get(i);
            if (!Vocabulary.QUALIFIERS.contains(word)) {
                for (String near : slips(word, Vocabulary.QUALIFIERS)) {
                    List<String> words = new ArrayList<>(wrong.qualifiers());
                    words.set(i, near);
                    propose(wrong.opcode(), words, edit(word, "." + near));
                }
            }
        }
    }

    /// The known words that a slip turns into this one. Another number is no slip: `.m16n8k12` may
    /// be what was wanted.
    private static List<String> slips(String word, Collection<String> known) {
        return known.stream()
                .filter(other -> Math.abs(other.length() - word.length()) <= 1)
                .filter(other -> digits(other).equals(digits(word)))
                .filter(
                        other ->
                                other.equalsIgnoreCase(word)
                                        || Suggestion.distance(word, other) == 1)
                .toList();
    }

    /// The digits of a word, without their order.
    private static String digits(String word) {
        return word.chars()
                .filter(Character::isDigit)
                .sorted()
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    private void dropRepeated() {
        for (int i = 1; i < wrong.qualifiers().size(); i++) {
            String word = wrong.qualifiers().get(i);
            if (wrong.qualifiers().get(i - 1).equals(word)) {
                List<String> words = new ArrayList<>(wrong.qualifiers());
                words.remove(i);
                propose(wrong.opcode(), words, edit(word, ""));
            }
        }
    }

    private Edit edit(String word, String text) {
        return new Edit(wrong.positionOf(word), "." + word, text);
    }

    /// `.sync` and `.aligned`, which every matrix instruction has behind its name.
    private void synchronize() {
        List<String> words = new ArrayList<>(wrong.qualifiers());
        boolean lacks = !words.contains("sync") || !words.contains("aligned");
        words.removeIf(word -> word.equals("sync") || word.equals("aligned"));
        int name = 0;
        while (name < words.size()
                && (words.get(name).equals("mma_async") || words.get(name).startsWith("sp"))) {
            name++;
        }
        words.addAll(name, List.of("sync", "aligned"));
        if (lacks) {
            rewrite(wrong.opcode(), words);
        }
    }

    /// Forms that have every word, with each way to fill the places that are empty.
    private void fill() {
        int inHead = OpcodePrefixes.count(wrong.opcode(), wrong.qualifiers());
        List<String> all = wrong.qualifiers();
        List<String> rest = all.subList(inHead, all.size());
        String head = mnemonic(wrong.opcode(), all.subList(0, inHead));
        for (String longer : InstructionTable.headsOf(head)) {
            for (InstructionForm form : InstructionTable.of(longer)) {
                FormMatch match = FormMatch.of(form, rest);
                if (match.unplaced().isEmpty()) {
                    for (List<String> added : fillings(match.missing())) {
                        List<String> words = new ArrayList<>(rest);
                        words.addAll(added);
                        FormMatch filled = FormMatch.of(form, words);
                        if (filled.fits()) {
                            List<String> ordered =
                                    Arrays.asList(filled.mnemonic().split("\\.", -1));
                            rewrite(ordered.getFirst(), ordered.subList(1, ordered.size()));
                        }
                    }
                }
            }
        }
    }

    /// One choice for each place, in all ways.
    private List<List<String>> fillings(List<Slot> places) {
        List<List<String>> ways = List.of(List.of());
        for (Slot place : places) {
            List<List<String>> longer = new ArrayList<>();
            for (List<String> way : ways) {
                for (Choice choice : place.choices()) {
                    List<String> words = new ArrayList<>(way);
                    words.add(choice.word());
                    longer.add(words);
                }
            }
            ways = longer;
            if (ways.size() > MOST_FILLINGS) {
                uncertain = true;
                return List.of();
            }
        }
        return ways;
    }

    /// Proposes a mnemonic in the place of the whole one.
    private void rewrite(String opcode, List<String> qualifiers) {
        propose(
                opcode,
                qualifiers,
                new Edit(wrong.position(), wrong.mnemonic(), mnemonic(opcode, qualifiers)));
    }

    private void propose(String opcode, List<String> qualifiers, Edit edit) {
        Instruction right =
                new Instruction(
                        wrong.guard(), opcode, qualifiers, wrong.operands(), wrong.position());
        if (meant.size() < 2 && legal.test(right)) {
            meant.putIfAbsent(right.mnemonic(), edit);
        }
    }

    private static String mnemonic(String opcode, List<String> qualifiers) {
        return qualifiers.isEmpty() ? opcode : opcode + "." + String.join(".", qualifiers);
    }
}
