package dev.heddle.programs.host;

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

    /// The code.
    public int code() {
        return code;
    }
}
