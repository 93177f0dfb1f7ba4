package dev.heddle.programs.runtime;

import dev.heddle.programs.host.ErrorCode;

/// The last error of each thread of the host (`cudaGetLastError`).
public final class LastError {
    private final ThreadLocal<int[]> code = ThreadLocal.withInitial(() -> new int[1]);

    /// Remembers an error, and gives it back.
    public int set(int error) {
        // "Not ready" is an answer, and no error.
        if (error != ErrorCode.NOT_READY) {
            code.get()[0] = error;
        }
        return error;
    }

    int peek() {
        return code.get()[0];
    }

    int take() {
        int error = code.get()[0];
        code.get()[0] = 0;
        return error;
    }
}
