package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler.Label;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Routines that machine code calls, one of each kind. They stand behind everything else.
///
/// @param <K> what they differ in
final class Routines<K> {
    private final Consumer<Runnable> later;
    private final BiConsumer<K, Label> emitter;
    private final Map<K, Label> starts = new LinkedHashMap<>();

    /// @param later takes code that is to stand behind everything else
    /// @param emitter emits one, with its start
    Routines(Consumer<Runnable> later, BiConsumer<K, Label> emitter) {
        this.later = later;
        this.emitter = emitter;
    }

    /// Where the one of a kind begins.
    Label of(K kind) {
        return starts.computeIfAbsent(
                kind,
                _ -> {
                    Label start = new Label();
                    later.accept(() -> emitter.accept(kind, start));
                    return start;
                });
    }
}
