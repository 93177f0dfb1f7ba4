package dev.heddle.vm.report;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// What is looked for while a kernel runs. A group that is off costs little and finds nothing; no
/// access leaves the device's memory, whatever is on.
public enum CheckGroup {
    /// Unordered accesses to the same shared memory.
    RACES,
    /// Accesses outside buffers, to freed memory, and misuse of addresses.
    MEMORY,
    /// Uses of registers and memory that nobody wrote.
    DEFINEDNESS,
    /// Lanes missing from warp-wide instructions and barriers, or there with different operands.
    WARP,
    /// Sparsity metadata and selectors.
    METADATA,
    /// Asynchronous copies read before their wait, and the phases of mbarriers.
    ASYNC;

    /// Every group.
    public static final Set<CheckGroup> ALL =
            Collections.unmodifiableSet(EnumSet.allOf(CheckGroup.class));

    /// No group.
    public static final Set<CheckGroup> NONE = Set.of();

    /// As launch files and options spell it: `races`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The group that a word names.
    public static Optional<CheckGroup> of(String word) {
        return Arrays.stream(values()).filter(group -> group.word().equals(word)).findFirst();
    }

    /// The words of all groups.
    public static List<String> words() {
        return Arrays.stream(values()).map(CheckGroup::word).toList();
    }
}
