package dev.heddle.programs.runtime;

import dev.heddle.programs.CudaException;
import dev.heddle.programs.ErrorCode;
import dev.heddle.programs.Host;
import dev.heddle.programs.device.Capability;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Graph;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.scheduling.Grid.Extent;

import org.jspecify.annotations.Nullable;

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
    private static final int BUFFER_POINTER = 1;
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

    /// What stands between `<<<` and `>>>`, and more.
    private record Configuration(
            Dimensions grid,
            Dimensions block,
            @Nullable Dimensions cluster,
            boolean cooperative,
            long dynamic,
            long stream) {
        void requireLegal() {
            if (!grid.isPositive()
                    || !block.isPositive()
                    || cluster != null && !cluster.isPositive()
                    || grid.y > MOST_ACROSS
                    || grid.z > MOST_ACROSS
                    || block.z > MOST_DEPTH
                    || block.extent().count() > MOST_THREADS) {
                throw new CudaException(ErrorCode.INVALID_CONFIGURATION);
            }
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
                new Configuration(
                        Dimensions.of(gridXy, gridZ),
                        Dimensions.of(blockXy, blockZ),
                        null,
                        false,
                        dynamic,
                        stream),
                arguments);
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
        launch(
                device.modules().kernel(kernel),
                new Configuration(
                        Dimensions.of(gridXy, gridZ),
                        Dimensions.of(blockXy, blockZ),
                        null,
                        true,
                        dynamic,
                        stream),
                arguments);
    }

    /// All CTAs of a cooperative launch must be resident at once.
    private void requireTogether(Kernel kernel, Configuration as) {
        int resident =
                device.capability()
                        .residentBlocks(
                                (int) as.block.extent().count(),
                                kernel.code().sharedBytes() + as.dynamic);
        if (as.grid.extent().count() > (long) resident * Capability.MULTIPROCESSORS) {
            throw new CudaException(ErrorCode.COOPERATIVE_LAUNCH_TOO_LARGE);
        }
    }

    /// Launches as a `cudaLaunchConfig_t` says.
    public void cudaLaunchKernelExC(long configuration, long function, long arguments) {
        launch(device.modules().kernel(function), configuration(configuration), arguments);
    }

    private static Configuration configuration(long at) {
        long attributes = Host.getLong(at + 40);
        int count = Host.getInt(at + 48);
        @Nullable Dimensions cluster = null;
        boolean cooperative = false;
        for (int i = 0; i < count; i++) {
            long attribute = attributes + (long) ATTRIBUTE_BYTES * i;
            switch (Host.getInt(attribute)) {
                case CLUSTER_ATTRIBUTE -> cluster = dimensions(attribute + 8);
                case COOPERATIVE_ATTRIBUTE -> cooperative = Host.getInt(attribute + 8) != 0;
                default -> {
                    // The others are hints, or order launches that are in order here anyway.
                }
            }
        }
        return new Configuration(
                dimensions(at),
                dimensions(at + 12),
                cluster,
                cooperative,
                Host.getLong(at + 24),
                Host.getLong(at + 32));
    }

    private static Dimensions dimensions(long at) {
        return new Dimensions(Host.getInt(at), Host.getInt(at + 4), Host.getInt(at + 8));
    }

    private void launch(Kernel kernel, Configuration as, long arguments) {
        device.launch(kernel, prepared(kernel, as, arguments), device.streams().of(as.stream));
    }

    private Launch prepared(Kernel kernel, Configuration as, long arguments) {
        as.requireLegal();
        requireShared(kernel, as.dynamic);
        if (as.cooperative) {
            requireTogether(kernel, as);
        }
        Launch launch =
                Launch.of(
                                as.grid.extent(),
                                as.block.extent(),
                                arguments(kernel, arguments).toArray(Argument[]::new))
                        .withDynamicShared((int) as.dynamic);
        Dimensions cluster = as.cluster;
        launch = cluster == null ? launch : launch.cluster(cluster.x, cluster.y, cluster.z);
        return as.cooperative ? launch.cooperative() : launch;
    }

    /// Launches as the driver is told to.
    ///
    /// @param shape CTAs of the grid and threads of a CTA, in three directions each
    /// @param arguments pointers to them, or 0
    /// @param extra where there are none: `CU_LAUNCH_PARAM_BUFFER_POINTER` and its kin
    public void launch(
            long function, int[] shape, int dynamic, long stream, long arguments, long extra) {
        Kernel kernel = device.modules().kernel(function);
        Configuration as =
                new Configuration(
                        new Dimensions(shape[0], shape[1], shape[2]),
                        new Dimensions(shape[3], shape[4], shape[5]),
                        null,
                        false,
                        dynamic,
                        stream);
        if (arguments != 0 || extra == 0) {
            launch(kernel, as, arguments);
            return;
        }
        List<Code.Parameter> parameters = kernel.code().parameters();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointers = arena.allocate(ValueLayout.JAVA_LONG, parameters.size() + 1L);
            for (int i = 0; i < parameters.size(); i++) {
                pointers.setAtIndex(
                        ValueLayout.JAVA_LONG, i, block(extra) + parameters.get(i).offset());
            }
            launch(kernel, as, pointers.address());
        }
    }

    /// The block of arguments that a list of extra parameters names.
    private static long block(long extra) {
        for (long at = extra; Host.getLong(at) != 0; at += 16) {
            if (Host.getLong(at) == BUFFER_POINTER) {
                return Host.getLong(at + 8);
            }
        }
        throw new CudaException(ErrorCode.INVALID_VALUE);
    }

    /// What a node of a graph does that launches (`cudaKernelNodeParams`).
    Runnable node(long parameters) {
        Kernel kernel = device.modules().kernel(Host.getLong(parameters));
        Configuration as =
                new Configuration(
                        dimensions(parameters + 8),
                        dimensions(parameters + 20),
                        null,
                        false,
                        Host.getInt(parameters + 32),
                        0);
        return device.work(kernel, prepared(kernel, as, Host.getLong(parameters + 40)));
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
        device.submit(device.streams().of(stream), Graph.Kind.HOST, call(function, data));
    }

    /// A call of the host.
    static Runnable call(long function, long data) {
        MethodHandle call = downcall(function, FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
        return () -> {
            try {
                call.invokeExact(data);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        };
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
