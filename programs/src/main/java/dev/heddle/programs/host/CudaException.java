package dev.heddle.programs.host;

import org.jspecify.annotations.Nullable;

/// A function of the CUDA libraries did not do what it was asked to: the code that it answers.
public final class CudaException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int code;

    /// An answer such as 1, `cudaErrorInvalidValue`.
    ///
    /// @param code of `cudaError_t`, which is that of `CUresult`
    public CudaException(int code) {
        this(code, "CUDA error " + code);
    }

    /// An answer with what a log is to say of it.
    public CudaException(int code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    /// Answers this code where the arguments of a call are wrong.
    public static void refuseIf(boolean wrong, int code) {
        if (wrong) {
            throw new CudaException(code);
        }
    }

    /// What a handle or a name stands for; answers this code where it stands for nothing.
    public static <T> T orRefuse(@Nullable T found, int code) {
        if (found == null) {
            throw new CudaException(code);
        }
        return found;
    }

    /// The code.
    public int code() {
        return code;
    }
}
