package dev.heddle.programs.device;

import dev.heddle.vm.Observer;
import dev.heddle.vm.memory.Footprint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Watches a launch of a program: how far it is, and what it accesses.
///
/// @param progress tells how far it is
/// @param followed whether what it accesses matters
/// @param footprints of it and all that its threads start
record LaunchObserver(ProgressReport progress, boolean followed, List<Footprint> footprints)
        implements Observer {
    LaunchObserver(ProgressReport progress, boolean followed) {
        this(progress, followed, new ArrayList<>());
    }

    @Override
    public void ended(long done, long total) {
        progress.ended(done, total);
    }

    @Override
    public void accessed(Supplier<Footprint> footprint) {
        if (followed) {
            footprints.add(footprint.get());
        }
    }
}
