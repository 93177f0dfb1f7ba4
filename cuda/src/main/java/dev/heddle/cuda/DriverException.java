package dev.heddle.cuda;

/// A driver function returned an error: its name and text as the driver gives them, and for a
/// module that did not load, what the driver's compiler said.
public final class DriverException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final String function;
    private final String error;
    private final String log;

    DriverException(String function, int code, String error, String text, String log) {
        super(
                "%s: %s (%s): %s%s"
                        .formatted(
                                function,
                                error,
                                code,
                                text,
                                log.isEmpty() ? "" : System.lineSeparator() + log));
        this.code = code;
        this.function = function;
        this.error = error;
        this.log = log;
    }

    /// The `CUresult`, never 0.
    public int code() {
        return code;
    }

    /// The driver function that failed, such as `cuModuleLoadDataEx`.
    public String function() {
        return function;
    }

    /// The name of the `CUresult`, such as `CUDA_ERROR_INVALID_PTX`.
    public String error() {
        return error;
    }

    /// The log of the driver's PTX compiler; empty unless a module failed to load.
    public String log() {
        return log;
    }
}
