package dev.heddle.isa.rule;

import dev.heddle.formats.InputException;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// What a rule is about. The groups of [#CHECKS] are looked for while a kernel runs, and can be
/// left out of it.
public enum RuleGroup {
    /// Unordered accesses to the same memory.
    RACES,
    /// Accesses outside buffers, to freed memory, and misuse of addresses.
    MEMORY,
    /// Uses of registers and memory that nobody wrote.
    DEFINEDNESS,
    /// Lanes missing from warp-wide instructions and barriers, or there with different operands.
    WARP,
    /// Sparsity metadata and selectors.
    METADATA,
    /// Asynchronous copies and products, their waits and fences, and the phases of mbarriers.
    ASYNC,
    /// The text of a module.
    SYNTAX,
    /// Variables, parameters, functions and directives.
    DECLARATIONS,
    /// Names that stand for nothing, or for something else.
    NAMES,
    /// Opcodes and their qualifiers, versions and targets.
    INSTRUCTIONS,
    /// What an instruction is given.
    OPERANDS,
    /// How a launch can end, whatever is looked for.
    LAUNCH,
    /// Legal, and slower than need be.
    PERFORMANCE;

    /// Every group that is looked for while a kernel runs. One that is left out costs little and
    /// finds nothing; no access leaves the device's memory, whatever is on.
    public static final Set<RuleGroup> CHECKS =
            Collections.unmodifiableSet(EnumSet.range(RACES, ASYNC));

    /// As launch files and options spell it: `races`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The group of [#CHECKS] that a word names.
    public static Optional<RuleGroup> check(String word) {
        return CHECKS.stream().filter(group -> group.word().equals(word)).findFirst();
    }

    /// The groups that `all`, `none` or a list such as `races,memory` names.
    ///
    /// @throws InputException where there is no such group, with what is allowed
    public static Set<RuleGroup> checks(String words) {
        return switch (words) {
            case "all" -> CHECKS;
            case "none" -> Set.of();
            default -> {
                Set<RuleGroup> groups = EnumSet.noneOf(RuleGroup.class);
                for (String word : words.split(",", -1)) {
                    groups.add(check(word.strip()).orElseThrow(() -> noChecks(words)));
                }
                yield groups;
            }
        };
    }

    private static IllegalArgumentException noChecks(String words) {
        return new InputException(
                "%s: expected all, none, or some of %s"
                        .formatted(words, String.join(",", checks())));
    }

    /// The words of [#CHECKS].
    public static List<String> checks() {
        return CHECKS.stream().map(RuleGroup::word).toList();
    }
}
