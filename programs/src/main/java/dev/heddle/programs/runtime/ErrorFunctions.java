package dev.heddle.programs.runtime;

import dev.heddle.programs.host.EntryPoints.AlwaysAnswers;
import dev.heddle.programs.host.ErrorTexts;
import dev.heddle.programs.host.Host;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// CUDA Runtime API 6.3, Error Handling.
public final class ErrorFunctions {
    private final LastError last;
    private final ErrorTexts texts;
    private final Map<String, Long> kept = new ConcurrentHashMap<>();

    public ErrorFunctions(LastError last, ErrorTexts texts) {
        this.last = last;
        this.texts = texts;
    }

    /// Answers the last error and forgets it.
    @AlwaysAnswers
    public int cudaGetLastError() {
        return last.take();
    }

    /// Answers the last error.
    @AlwaysAnswers
    public int cudaPeekAtLastError() {
        return last.peek();
    }

    /// What an error means.
    public long cudaGetErrorString(int error) {
        return keep(texts.of(error).description());
    }

    /// What an error is called.
    public long cudaGetErrorName(int error) {
        return keep(texts.of(error).name());
    }

    private long keep(String text) {
        return kept.computeIfAbsent(text, Host::keep);
    }
}
