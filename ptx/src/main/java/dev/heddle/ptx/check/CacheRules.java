package dev.heddle.ptx.check;

import dev.heddle.isa.PtxVersion;
import dev.heddle.ptx.ScalarType;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/// Which memory the qualifiers for caches, ordering and volatility may speak of, and which of them
/// are together (PTX ISA 9.7.9.1, 9.7.9.2, 9.7.9.8, 9.7.9.11).
record CacheRules(PtxVersion version, InstructionProblems at) {
    private static final Set<String> ORDERED_SPACES = Set.of("global", "shared");

    /// From here on, `.volatile` may speak of local memory.
    private static final PtxVersion VOLATILE_LOCAL = new PtxVersion(9, 1);

    void check() {
        String space = at.binding().space();
        for (String word : at.instruction().qualifiers()) {
            check(word, space);
        }
        String operator = at.binding().word("cop");
        String eviction = at.binding().word("l1");
        if (operator != null && eviction != null) {
            at.report("conflicting-cache-qualifiers", word(eviction), operator);
        }
    }

    private void check(String word, @Nullable String space) {
        boolean cached = word.startsWith("L1::") || word.startsWith("L2::");
        if (cached && space != null && !space.equals("global")) {
            at.report("cache-qualifier-outside-global", word(word), space);
        } else if (word.startsWith("L2::evict") && !wide()) {
            at.report("wrong-cache-width", word(word));
        }
        boolean ordered = List.of("volatile", "relaxed", "acquire", "release").contains(word);
        if (ordered && space != null && !mayBeOrdered(word, space)) {
            at.report("ordered-private-access", word(word), space);
        }
    }

    private Problem.Spot word(String word) {
        return Problem.word(at.instruction(), word);
    }

    private boolean mayBeOrdered(String word, String space) {
        return ORDERED_SPACES.contains(space)
                || word.equals("volatile")
                        && space.equals("local")
                        && version.atLeast(VOLATILE_LOCAL);
    }

    private boolean wide() {
        ScalarType type = at.binding().lastType();
        return type != null && type.bits() * at.binding().vector() == 256;
    }
}
