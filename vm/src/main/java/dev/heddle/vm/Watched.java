package dev.heddle.vm;

import dev.heddle.vm.memory.MemorySnapshot;
import dev.heddle.vm.memory.Touched;
import dev.heddle.vm.report.Found;
import dev.heddle.vm.shadow.GlobalShadow;

import org.jspecify.annotations.Nullable;

/// Who watches a launch.
///
/// @param before what memory held, if it may have to hold it again
/// @param isNested whether threads of another started it
record Watched(Observer observer, @Nullable MemorySnapshot before, boolean isNested) {
    Watched(Observer observer, @Nullable MemorySnapshot before) {
        this(observer, before, false);
    }

    void ends(Found found, GlobalShadow shadow) {
        if (before != null && !isNested && found.all().findAny().isPresent()) {
            before.limit(shadow.touched(before.parts()));
        }
    }

    /// The same for what its threads start: what that touches is not kept.
    Watched nested() {
        if (before != null) {
            before.limit(Touched.ALL);
        }
        return new Watched(observer, before, true);
    }
}
