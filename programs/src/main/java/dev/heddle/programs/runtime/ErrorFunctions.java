package dev.heddle.programs.runtime;

import dev.heddle.programs.device.RefusedCalls;
import dev.heddle.programs.host.EntryPoints.AlwaysAnswers;
import dev.heddle.programs.host.ErrorTexts;
import dev.heddle.programs.host.Host;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// CUDA Runtime API 6.3, Error Handling.
public final class ErrorFunctions {
    private final LastError last;
    private final ErrorTexts texts;
    private final RefusedCalls refused;
    private final Map<String, Long> kept = new ConcurrentHashMap<>();

    public ErrorFunctions(LastError last, ErrorTexts texts, RefusedCalls refused) {
        this.last = last;
        this.refused = refused;
        this.texts = texts;
    }

    /// Answers the last error and forgets it.
    @AlwaysAnswers
    public int cudaGetLastError() {
        refused.asked();
        return last.take();
    }

    /// Answers the last error.
    @AlwaysAnswers
    public int cudaPeekAtLastError() {
        refused.asked();
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
