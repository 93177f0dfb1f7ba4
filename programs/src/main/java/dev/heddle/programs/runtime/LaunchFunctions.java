package dev.heddle.programs.runtime;

import dev.heddle.programs.CudaException;
import dev.heddle.programs.ErrorCode;
import dev.heddle.programs.Host;
import dev.heddle.programs.device.Device;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.scheduling.Grid.Extent;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/// CUDA Runtime API 6.7, Execution Control: what launches.
///
/// A `dim3` by value is two words: x and y in the first, z in the second.
public final class LaunchFunctions {
    private static final int MOST_THREADS = 1024;
    private static final int MOST_DEPTH = 64;
    private static final int MOST_ACROSS = 65535;
    private static final int CLUSTER_ATTRIBUTE = 4;
    private static final int COOPERATIVE_ATTRIBUTE = 2;
    private static final int ATTRIBUTE_BYTES = 72;

    private final Device device;

    LaunchFunctions(Device device) {
        this.device = device;
    }

    /// How many, in three directions.
    private record Dimensions(int x, int y, int z) {
        static Dimensions of(long xy, int z) {
            return new Dimensions((int) xy, (int) (xy >>> 32), z);
        }

        boolean isPositive() {
            return x > 0 && y > 0 && z > 0;
        }

        Extent extent() {
            return new Extent(x, y, z);
        }
    }

    /// A kernel's handle: the address of the host function itself.
    public void __cudaGetKernel(long into, long host) {
        device.modules().kernel(host);
        Host.putLong(into, host);
    }

    /// Launches a kernel.
    public void __cudaLaunchKernel(
            long kernel,
            long gridXy,
            int gridZ,
            long blockXy,
            int blockZ,
            long arguments,
            long dynamic,
            long stream) {
        cudaLaunchKernel(kernel, gridXy, gridZ, blockXy, blockZ, arguments, dynamic, stream);
    }

    /// Launches a kernel.
    public void cudaLaunchKernel(
            long kernel,
            long gridXy,
            int gridZ,
            long blockXy,
            int blockZ,
            long arguments,
            long dynamic,
            long stream) {
        launch(
                device.modules().kernel(kernel),
                Dimensions.of(gridXy, gridZ),
                Dimensions.of(blockXy, blockZ),
                new Dimensions(1, 1, 1),
                arguments,
                dynamic,
                stream);
    }

    /// Launches a kernel whose CTAs may wait for one another.
    public void cudaLaunchCooperativeKernel(
            long kernel,
            long gridXy,
            int gridZ,
            long blockXy,
            int blockZ,
            long arguments,
            long dynamic,
            long stream) {
        Dimensions grid = Dimensions.of(gridXy, gridZ);
        Dimensions block = Dimensions.of(blockXy, blockZ);
        requireTogether(device.modules().kernel(kernel), grid, block, dynamic);
        cudaLaunchKernel(kernel, gridXy, gridZ, blockXy, blockZ, arguments, dynamic, stream);
    }

    private void requireTogether(Kernel kernel, Dimensions grid, Dimensions block, long dynamic) {
        if (grid.isPositive() && block.isPositive()) {
            int resident =
                    device.capability()
                            .residentBlocks(
                                    block.x * block.y * block.z,
                                    kernel.code().sharedBytes() + dynamic);
            if (grid.extent().count()
                    > (long) resident * dev.heddle.programs.device.Capability.MULTIPROCESSORS) {
                throw new CudaException(ErrorCode.COOPERATIVE_LAUNCH_TOO_LARGE);
            }
        }
    }

    /// Launches as a `cudaLaunchConfig_t` says.
    public void cudaLaunchKernelExC(long configuration, long function, long arguments) {
        Dimensions grid = dimensions(configuration);
        Dimensions block = dimensions(configuration + 12);
        long dynamic = Host.getLong(configuration + 24);
        long stream = Host.getLong(configuration + 32);
        long attributes = Host.getLong(configuration + 40);
        int count = Host.getInt(configuration + 48);
        Dimensions cluster = new Dimensions(1, 1, 1);
        Kernel kernel = device.modules().kernel(function);
        for (int i = 0; i < count; i++) {
            long at = attributes + (long) ATTRIBUTE_BYTES * i;
            switch (Host.getInt(at)) {
                case CLUSTER_ATTRIBUTE -> cluster = dimensions(at + 8);
                case COOPERATIVE_ATTRIBUTE -> {
                    if (Host.getInt(at + 8) != 0) {
                        requireTogether(kernel, grid, block, dynamic);
                    }
                }
                default -> {
                    // The others are hints, or order launches that are in order here anyway.
                }
            }
        }
        launch(kernel, grid, block, cluster, arguments, dynamic, stream);
    }

    private static Dimensions dimensions(long at) {
        return new Dimensions(Host.getInt(at), Host.getInt(at + 4), Host.getInt(at + 8));
    }

    private void launch(
            Kernel kernel,
            Dimensions grid,
            Dimensions block,
            Dimensions cluster,
            long arguments,
            long dynamic,
            long stream) {
        if (!grid.isPositive()
                || !block.isPositive()
                || !cluster.isPositive()
                || grid.y > MOST_ACROSS
                || grid.z > MOST_ACROSS
                || block.z > MOST_DEPTH
                || block.extent().count() > MOST_THREADS) {
            throw new CudaException(ErrorCode.INVALID_CONFIGURATION);
        }
        requireShared(kernel, dynamic);
        Launch launch =
                Launch.of(
                                grid.extent(),
                                block.extent(),
                                arguments(kernel, arguments).toArray(Argument[]::new))
                        .withDynamicShared((int) dynamic);
        device.launch(
                kernel,
                cluster.extent().count() > 1
                        ? launch.cluster(cluster.x, cluster.y, cluster.z)
                        : launch,
                device.streams().of(stream));
    }

    private void requireShared(Kernel kernel, long dynamic) {
        long most = device.dynamicShared(kernel);
        if (dynamic < 0 || dynamic > most) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    private static List<Argument> arguments(Kernel kernel, long pointers) {
        List<Argument> arguments = new ArrayList<>();
        List<Code.Parameter> parameters = kernel.code().parameters();
        for (int i = 0; i < parameters.size(); i++) {
            long at = Host.getLong(pointers + 8L * i);
            arguments.add(
                    new Argument.Value(
                            Host.at(at, parameters.get(i).bytes()).toArray(ValueLayout.JAVA_BYTE)));
        }
        return arguments;
    }

    /// Calls a function of the host in the order of a stream.
    public void cudaLaunchHostFunc(long stream, long function, long data) {
        MethodHandle call = downcall(function, FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
        device.submit(
                device.streams().of(stream),
                () -> {
                    try {
                        call.invokeExact(data);
                    } catch (Throwable e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    /// Calls a function of the host with the stream and its state.
    public void cudaStreamAddCallback(long stream, long function, long data, int flags) {
        if (flags != 0 || function == 0) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        MethodHandle call =
                downcall(
                        function,
                        FunctionDescriptor.ofVoid(
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_LONG));
        device.streams()
                .submit(
                        device.streams().of(stream),
                        () -> {
                            try {
                                call.invokeExact(stream, device.failure(), data);
                            } catch (Throwable e) {
                                throw new IllegalStateException(e);
                            }
                        });
    }

    @SuppressWarnings("restricted") // a function pointer of the program's
    private static MethodHandle downcall(long function, FunctionDescriptor descriptor) {
        return Linker.nativeLinker()
                .downcallHandle(
                        MemorySegment.ofAddress(function).reinterpret(1, Arena.global(), null),
                        descriptor);
    }
}
