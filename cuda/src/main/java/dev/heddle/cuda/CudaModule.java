package dev.heddle.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// PTX compiled for a device and loaded there: its kernels and variables by name.
public final class CudaModule extends Resource {
    private static final int LOG_BYTES = 64 * 1024;

    private final MemorySegment handle;
    private final String log;

    private CudaModule(Context context, MemorySegment handle, String log) {
        super(context);
        this.handle = handle;
        this.log = log;
    }

    /// The options of `CUjit_option` that are passed with every module, in the order in which
    /// their values are laid out.
    private enum Option {
        INFO_LOG_BUFFER(3),
        INFO_LOG_BUFFER_SIZE_BYTES(4),
        ERROR_LOG_BUFFER(5),
        ERROR_LOG_BUFFER_SIZE_BYTES(6),
        OPTIMIZATION_LEVEL(7),
        LOG_VERBOSE(12);

        final int number;

        Option(int number) {
            this.number = number;
        }
    }

    static CudaModule load(Context context, String ptx, Optimization optimization) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(ptx);
            MemorySegment information = arena.allocate(LOG_BYTES);
            MemorySegment errors = arena.allocate(LOG_BYTES);
            int count = Option.values().length;
            MemorySegment options = arena.allocate(ValueLayout.JAVA_INT, count);
            // Each value is a void*: a pointer for the buffers, the number itself for the rest.
            MemorySegment values = arena.allocate(ValueLayout.JAVA_LONG, count);
            for (Option option : Option.values()) {
                long value =
                        switch (option) {
                            case INFO_LOG_BUFFER -> information.address();
                            case ERROR_LOG_BUFFER -> errors.address();
                            case INFO_LOG_BUFFER_SIZE_BYTES, ERROR_LOG_BUFFER_SIZE_BYTES ->
                                    LOG_BYTES;
                            case OPTIMIZATION_LEVEL -> optimization.level();
                            case LOG_VERBOSE -> 1;
                        };
                options.setAtIndex(ValueLayout.JAVA_INT, option.ordinal(), option.number);
                values.setAtIndex(ValueLayout.JAVA_LONG, option.ordinal(), value);
            }
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            int result = context.resultOf("cuModuleLoadDataEx", out, text, count, options, values);
            if (result != 0) {
                throw context.failure("cuModuleLoadDataEx", result, errors.getString(0).strip());
            }
            return new CudaModule(
                    context, out.get(ValueLayout.ADDRESS, 0), information.getString(0).strip());
        }
    }

    /// What the driver's compiler said while it compiled: registers and spills per kernel,
    /// advice. Empty where the driver took the machine code from its cache.
    public String log() {
        return log;
    }

    /// A kernel of the module.
    ///
    /// @param name the name after `.entry`
    /// @throws CudaException `CUDA_ERROR_NOT_FOUND` if there is none of that name
    public CudaFunction function(String name) {
        requireOpen();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            MemorySegment function = context().readHandle("cuModuleGetFunction", handle, text);
            return new CudaFunction(this, function);
        }
    }

    /// The device address of a `.global` or `.const` variable of the module.
    ///
    /// @throws CudaException `CUDA_ERROR_NOT_FOUND` if there is none of that name
    public long addressOf(String variable) {
        requireOpen();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(variable);
            MemorySegment bytes = arena.allocate(ValueLayout.JAVA_LONG);
            return context().readLong("cuModuleGetGlobal", bytes, handle, text);
        }
    }

    @Override
    void release() {
        context().call("cuModuleUnload", handle);
    }
}
