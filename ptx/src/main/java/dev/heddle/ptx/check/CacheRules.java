package dev.heddle.ptx.check;

import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.instruction.FormMatch;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/// Which memory the qualifiers for caches, ordering and volatility may speak of, and which of them
/// are together (PTX ISA 9.7.9.1, 9.7.9.2, 9.7.9.8, 9.7.9.11).
record CacheRules(Reporter reporter, PtxVersion version) {
    private static final Set<String> ORDERED_SPACES = Set.of("global", "shared");

    /// From here on, `.volatile` may speak of local memory.
    private static final PtxVersion VOLATILE_LOCAL = new PtxVersion(9, 1);

    void check(Instruction instruction, FormMatch binding) {
        String space = binding.space();
        for (String word : instruction.qualifiers()) {
            check(instruction, binding, word, space);
        }
        String operator = binding.word("cop");
        String eviction = binding.word("l1");
        if (operator != null && eviction != null) {
            report(
                    instruction,
                    binding,
                    eviction,
                    Rule.CONFLICTING_CACHE_QUALIFIERS,
                    "." + operator + " and ." + eviction + " both say how to cache",
                    "keep one of them");
        }
    }

    private void check(
            Instruction instruction, FormMatch binding, String word, @Nullable String space) {
        boolean cached = word.startsWith("L1::") || word.startsWith("L2::");
        if (cached && space != null && !space.equals("global")) {
            report(
                    instruction,
                    binding,
                    word,
                    Rule.CACHE_QUALIFIER_OUTSIDE_GLOBAL,
                    "." + word + " speaks of global memory; the instruction says ." + space,
                    "leave ." + word + " out");
        } else if (word.startsWith("L2::evict") && !wide(binding)) {
            report(
                    instruction,
                    binding,
                    word,
                    Rule.WRONG_CACHE_WIDTH,
                    "." + word + " takes .v8.b32 or .v4.b64, 256 bits at once",
                    "use .L1::evict_..., or a createpolicy and .L2::cache_hint");
        }
        boolean ordered = List.of("volatile", "relaxed", "acquire", "release").contains(word);
        if (ordered && space != null && !mayBeOrdered(word, space)) {
            report(
                    instruction,
                    binding,
                    word,
                    Rule.ORDERED_PRIVATE_ACCESS,
                    "."
                            + word
                            + " is for memory that other threads see; the instruction says ."
                            + space,
                    "leave ." + word + " and its scope out");
        }
    }

    private boolean mayBeOrdered(String word, String space) {
        return ORDERED_SPACES.contains(space)
                || word.equals("volatile")
                        && space.equals("local")
                        && version.atLeast(VOLATILE_LOCAL);
    }

    private static boolean wide(FormMatch binding) {
        ScalarType type = binding.lastType();
        return type != null && type.bits() * binding.vector() == 256;
    }

    private void report(
            Instruction instruction,
            FormMatch binding,
            String word,
            Rule rule,
            String message,
            String remedy) {
        SourcePosition position = instruction.positionOf(word);
        reporter.invalid(
                rule, position, word.length() + 1, message, remedy, binding.form().section());
    }
}
