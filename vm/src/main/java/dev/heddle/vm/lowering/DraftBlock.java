package dev.heddle.vm.lowering;

import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Step;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// A block whose exit names other drafts by their number.
final class DraftBlock {
    final int number;
    /// Rank in the text, by which loops keep their bodies before what follows them.
    int place;
    final List<Step> steps = new ArrayList<>();
    @Nullable Exit exit;

    DraftBlock(int number) {
        this.number = number;
    }
}
