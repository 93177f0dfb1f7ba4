package dev.heddle.isa;

import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.Rule;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// An opcode as written, taken apart: which qualifier fills which place.
///
/// The assembler takes the qualifiers in any order, types in the order D, A, B, C, scale, and
/// `.popc` behind its operation; so does this. Both spellings of `.satfinite`, before and behind
/// the types, are the same opcode.
///
/// @param family     the instruction
/// @param qualifiers the word in each filled place, without its dot
/// @param violations what is wrong with the spelling alone: unknown, doubled or missing words
public record Opcode(Family family, Map<Qualifier, String> qualifiers, List<Violation> violations) {
    private static final Set<String> WORDS =
            Set.of(
                    """
                    sync aligned row col satfinite block_scale xor and popc rn rz rm rp
                    kind::f8f6f4 kind::mxf8f6f4 kind::mxf4 kind::mxf4nvf4 scale_vec::1X
                    scale_vec::2X scale_vec::4X
                    """
                            .split("\\s"));

    public Opcode {
        qualifiers = Map.copyOf(qualifiers);
        violations = List.copyOf(violations);
    }

    /// Whether `opcode` begins like an instruction of this model.
    public static boolean isMatrixOpcode(String opcode) {
        return opcode.equals("mma")
                || opcode.startsWith("mma.")
                || opcode.equals("wgmma.mma_async")
                || opcode.startsWith("wgmma.mma_async.");
    }

    /// Takes apart an opcode such as `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`.
    ///
    /// @throws InputException if it is not `mma` or `wgmma.mma_async` at all
    public static Opcode parse(String opcode) {
        if (!isMatrixOpcode(opcode)) {
            throw new InputException(
                    "\""
                            + opcode
                            + "\" is no matrix instruction of this model: expected an opcode that"
                            + " begins with mma, mma.sp, mma.sp::ordered_metadata, wgmma.mma_async"
                            + " or wgmma.mma_async.sp");
        }
        return new Reader(opcode).read();
    }

    /// The word in a place, or the empty string.
    public String get(Qualifier place) {
        return qualifiers.getOrDefault(place, "");
    }

    /// One pass over the words of an opcode.
    private static final class Reader {
        private final List<String> words;
        private final Map<Qualifier, String> qualifiers = new EnumMap<>(Qualifier.class);
        private final List<Violation> violations = new ArrayList<>();
        private final Set<String> fixed = new HashSet<>();
        private final Family family;
        private int types;

        /// Whether `.popc` is before `.and` or `.xor`, or without either.
        private boolean countsNothing;

        Reader(String opcode) {
            words = new ArrayList<>(List.of(opcode.split("\\.", -1)));
            boolean warpgroup = words.remove(0).equals("wgmma");
            if (warpgroup) {
                words.remove(0);
            }
            boolean ordered = words.remove("sp::ordered_metadata");
            boolean sparse = words.remove("sp");
            family =
                    warpgroup
                            ? (sparse || ordered ? Family.WGMMA_SP : Family.WGMMA)
                            : ordered ? Family.MMA_SP_ORDERED : sparse ? Family.MMA_SP : Family.MMA;
            if (sparse && ordered) {
                doubled("sp");
            }
            if (warpgroup && ordered) {
                violations.add(
                        Violation.of(
                                Rule.UNKNOWN_QUALIFIER,
                                ".sp::ordered_metadata",
                                "wgmma.mma_async has only .sp"));
            }
        }

        Opcode read() {
            words.forEach(this::place);
            if (!fixed.contains("sync")) {
                missing("sync");
            }
            if (!fixed.contains("aligned")) {
                missing("aligned");
            }
            if (qualifiers.containsKey(Qualifier.BIT_OPERATION) && !fixed.contains("popc")) {
                missing("popc");
            }
            if (countsNothing) {
                violations.add(
                        Violation.of(
                                Rule.MISSING_QUALIFIER,
                                ".popc without an operation before it",
                                ".and.popc or .xor.popc"));
            }
            return new Opcode(family, qualifiers, violations);
        }

        private void missing(String word) {
            violations.add(
                    Violation.of(Rule.MISSING_QUALIFIER, "no ." + word, "an opcode with ." + word));
        }

        private void place(String word) {
            switch (word) {
                case "sync", "aligned", "popc" -> {
                    if (!fixed.add(word)) {
                        doubled(word);
                    }
                    countsNothing |=
                            word.equals("popc") && !qualifiers.containsKey(Qualifier.BIT_OPERATION);
                }
                case "satfinite" -> qualifiers.put(Qualifier.SATFINITE, word); // twice is accepted
                default -> fill(word);
            }
        }

        private void fill(String word) {
            boolean type = Qualifier.isType(word);
            if (type && types == Qualifier.TYPE_PLACES.size()) {
                violations.add(
                        Violation.of(Rule.UNKNOWN_QUALIFIER, "a sixth type ." + word, "at most 5"));
                return;
            }
            Qualifier place = Syntax.place(word, qualifiers.keySet(), types);
            types += type ? 1 : 0;
            if (place == null) {
                unknown(word);
            } else if (qualifiers.putIfAbsent(place, word) != null) {
                doubled(word);
            }
        }

        private void doubled(String word) {
            violations.add(
                    Violation.of(Rule.REPEATED_QUALIFIER, "." + word, "one qualifier of its kind"));
        }

        private void unknown(String word) {
            Set<String> candidates = new HashSet<>(WORDS);
            Format.all().forEach(format -> candidates.add(format.ptxName()));
            Optional<String> meant = Suggestion.nearest(word, candidates);
            violations.add(
                    Violation.of(
                            Rule.UNKNOWN_QUALIFIER,
                            "." + word,
                            meant.map(near -> "." + near + ", if that is meant")
                                    .orElse(
                                            "a shape, a layout, a type or a modifier of the"
                                                    + " instruction")));
            // Read as if spelt right, so that the opcodes suggested keep the other qualifiers
            meant.ifPresent(this::place);
        }
    }
}
