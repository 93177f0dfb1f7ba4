package dev.heddle.vm.shadow;

import java.util.List;

/// What the instructions of a kernel read whose rows machine code notes, by their numbers.
///
/// @param haveParts whether some read less than a word
public record RowPlans(List<PlannedReads> all, boolean haveParts) {
    static final RowPlans NONE = new RowPlans(List.of());

    public RowPlans(List<PlannedReads> all) {
        this(all, all.stream().anyMatch(each -> each.unit() < Integer.BYTES));
    }
}
