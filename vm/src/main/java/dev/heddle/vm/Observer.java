package dev.heddle.vm;

import dev.heddle.vm.memory.Footprint;
import dev.heddle.vm.state.StepListener;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/// Who watches a launch. Calls come from the worker threads and hold them up: be short.
public interface Observer {
    /// Nobody.
    Observer NONE = new Observer() {};

    /// The launch begins, or another CTA has ended.
    ///
    /// @param done CTAs that have ended
    /// @param total CTAs of the grid
    default void ended(long done, long total) {}

    /// The launch, or one that its threads started, is over, and its accesses were looked at.
    ///
    /// @param footprint finds out what was accessed, until this call returns
    default void accessed(Supplier<Footprint> footprint) {}

    /// Who is told of every step that the interpreter takes, or null.
    default @Nullable StepListener steps() {
        return null;
    }
}
