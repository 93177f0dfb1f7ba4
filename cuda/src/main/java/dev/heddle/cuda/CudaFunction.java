package dev.heddle.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A kernel of a loaded module. It lives as long as its module.
public final class CudaFunction {
    private final CudaModule module;
    private final MemorySegment handle;

    CudaFunction(CudaModule module, MemorySegment handle) {
        this.module = module;
        this.handle = handle;
    }

    /// What a kernel can be asked about; the numbers are those of `CUfunction_attribute`.
    public enum Attribute {
        MAX_THREADS_PER_BLOCK(0),
        SHARED_BYTES(1),
        CONSTANT_BYTES(2),
        LOCAL_BYTES(3),
        REGISTERS(4),
        PTX_VERSION(5),
        BINARY_VERSION(6),
        MAX_DYNAMIC_SHARED_BYTES(8),
        NON_PORTABLE_CLUSTER_SIZE_ALLOWED(14);

        final int number;

        Attribute(int number) {
            this.number = number;
        }
    }

    /// One attribute of the compiled kernel.
    public int attribute(Attribute attribute) {
        module.requireOpen();
        return module.context().readInt("cuFuncGetAttribute", attribute.number, handle);
    }

    private void launchWithAttributes(LaunchShape shape, Stream stream, Arguments arguments) {
        if (shape.isBeyondPortable()) {
            set(Attribute.NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment config = LaunchConfig.of(shape, stream, arena);
            module.call(
                    "cuLaunchKernelEx", config, handle, arguments.pointers(), MemorySegment.NULL);
        }
    }

    private void set(Attribute attribute, int value) {
        module.call("cuFuncSetAttribute", handle, attribute.number, value);
    }

    /// Allows the kernel up to `bytes` of dynamic shared memory; needed above 48 KiB.
    ///
    /// @throws CudaException `CUDA_ERROR_INVALID_VALUE` above what the device has
    public void allowDynamicShared(int bytes) {
        set(Attribute.MAX_DYNAMIC_SHARED_BYTES, bytes);
    }

    /// Enqueues a launch on the default stream and returns; errors of the kernel itself surface
    /// at the next wait.
    public void launch(LaunchShape shape, Arguments arguments) {
        launch(shape, module.context().defaultStream(), arguments);
    }

    /// Enqueues a launch and returns; errors of the kernel itself surface at the next wait.
    ///
    /// @throws CudaException if the launch is refused (`CUDA_ERROR_INVALID_VALUE`, too many
    ///     threads or too much shared memory)
    public void launch(LaunchShape shape, Stream stream, Arguments arguments) {
        stream.requireOpen();
        if (shape.hasAttributes()) {
            launchWithAttributes(shape, stream, arguments);
            return;
        }
        module.call(
                "cuLaunchKernel",
                handle,
                shape.grid().x(),
                shape.grid().y(),
                shape.grid().z(),
                shape.block().x(),
                shape.block().y(),
                shape.block().z(),
                shape.sharedBytes(),
                stream.handle(),
                arguments.pointers(),
                MemorySegment.NULL);
    }
}
