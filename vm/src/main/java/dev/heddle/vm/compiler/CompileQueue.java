package dev.heddle.vm.compiler;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Where functions are compiled: by the worker that needs them, or beside the launch.
///
/// @param background runs compilations beside launches, or null
record CompileQueue(@Nullable Executor background) {
    /// Whoever asks compiles, and has the code then.
    static CompileQueue inPlace() {
        return new CompileQueue(null);
    }

    /// One thread compiles what is asked for, in turn; whoever asks goes on meanwhile.
    static CompileQueue beside() {
        return new CompileQueue(
                new ThreadPoolExecutor(
                        0,
                        1,
                        1,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().daemon().name("heddle-compiler").factory()));
    }

    /// Whether whoever asks goes on without the code.
    boolean isBeside() {
        return background != null;
    }

    void submit(Runnable compilation) {
        if (background == null) {
            compilation.run();
        } else {
            background.execute(() -> tryToRun(compilation));
        }
    }

    private static void tryToRun(Runnable compilation) {
        try {
            compilation.run();
        } catch (OutOfMemoryError _) {
            // The launch needs the memory more: it stays interpreted.
        }
    }
}
