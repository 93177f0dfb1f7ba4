package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.runtime.LaunchConfiguration.Dimensions;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.ir.Code;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/// CUDA Runtime API 6.7, Execution Control: what launches.
public record LaunchFunctions(Device device) {
    private static final int BUFFER_POINTER = 1;
    private static final int BUFFER_SIZE = 2;

    /// A kernel's handle: the address of the host function itself. What is wrong with it is the
    /// launch's to say: the compiler's code that calls this looks at no answer.
    public void __cudaGetKernel(long into, long host) {
        Host.putLong(into, host);
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
        launch(kernel, packed(gridXy, gridZ, blockXy, blockZ, dynamic, stream), arguments);
    }

    /// A configuration as the runtime's launches hand it over.
    public static LaunchConfiguration packed(
            long gridXy, int gridZ, long blockXy, int blockZ, long dynamic, long stream) {
        return LaunchConfiguration.plain(
                Dimensions.of(gridXy, gridZ), Dimensions.of(blockXy, blockZ), dynamic, stream);
    }

    /// The same for CTAs that may wait for one another.
    public static LaunchConfiguration together(LaunchConfiguration as) {
        return as.together();
    }

    /// All CTAs of a cooperative launch must be resident at once.
    private void requireTogether(Kernel kernel, LaunchConfiguration as) {
        int resident =
                device.capability()
                        .residentBlocks(
                                (int) as.block().extent().count(),
                                kernel.code().ownSharedBytes() + as.dynamic());
        refuseIf(
                as.grid().extent().count()
                        > (long) resident * device.capability().multiprocessors(),
                ErrorCode.COOPERATIVE_LAUNCH_TOO_LARGE);
    }

    /// Launches as a `cudaLaunchConfig_t` says.
    public void cudaLaunchKernelExC(long configuration, long function, long arguments) {
        launch(function, LaunchConfiguration.ofRuntime(configuration), arguments);
    }

    private void launch(long function, LaunchConfiguration as, long arguments) {
        Launch launch = prepared(device.modules().kernel(function), as, arguments);
        device.launch(function, launch, as.early(), device.streams().of(as.stream()));
    }

    private Launch prepared(Kernel kernel, LaunchConfiguration as, long arguments) {
        as.requireFit(kernel, device.limits().mostOfCluster(kernel));
        requireShared(kernel, as.dynamic());
        if (as.cooperative()) {
            requireTogether(kernel, as);
        }
        return Launch.of(
                        as.grid().extent(),
                        as.block().extent(),
                        arguments(kernel, arguments).toArray(Argument[]::new))
                .withShape(as.shape());
    }

    /// Launches as the driver is told to.
    ///
    /// @param arguments pointers to them, or 0
    /// @param extra where there are none: `CU_LAUNCH_PARAM_BUFFER_POINTER` and its kin
    public void launch(long function, LaunchConfiguration as, long arguments, long extra) {
        if (arguments != 0 || extra == 0) {
            launch(function, as, arguments);
            return;
        }
        Kernel kernel = device.modules().kernel(function);
        List<Code.Parameter> parameters = kernel.code().parameters();
        launchBlock(function, as, parameters, block(extra, kernel.code().parameterBytes()));
    }

    /// Launches with all arguments in one block, as the parameters lie.
    public void launchWith(long function, LaunchConfiguration as, MemorySegment block) {
        Code code = device.modules().kernel(function).code();
        if (block.byteSize() != code.parameterBytes()) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(block.byteSize() + 1, 16);
            MemorySegment.copy(block, 0, copy, 0, block.byteSize());
            launchBlock(function, as, code.parameters(), copy.address());
        }
    }

    private void launchBlock(
            long function, LaunchConfiguration as, List<Code.Parameter> parameters, long block) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointers = arena.allocate(ValueLayout.JAVA_LONG, parameters.size() + 1L);
            for (int i = 0; i < parameters.size(); i++) {
                pointers.setAtIndex(ValueLayout.JAVA_LONG, i, block + parameters.get(i).offset());
            }
            launch(function, as, pointers.address());
        }
    }

    /// Launches as a `CUlaunchConfig` says.
    public void cuLaunchKernelEx(long configuration, long function, long arguments, long extra) {
        launch(function, LaunchConfiguration.ofDriver(configuration), arguments, extra);
    }

    /// The block of arguments that a list of extra parameters names. It must be as large as all
    /// parameters: an H100 answers so, too, where only padding is too much.
    private static long block(long extra, int bytes) {
        long block = 0;
        for (long at = extra; Host.getLong(at) != 0; at += 16) {
            if (Host.getLong(at) == BUFFER_POINTER) {
                block = Host.getLong(at + 8);
            } else if (Host.getLong(at) == BUFFER_SIZE
                    && Host.getLong(Host.getLong(at + 8)) != bytes) {
                throw new CudaException(ErrorCode.LAUNCH_OUT_OF_RESOURCES);
            }
        }
        refuseIf(block == 0, ErrorCode.INVALID_VALUE);
        return block;
    }

    /// What a node of a graph does that launches (`cudaKernelNodeParams`).
    public Work launching(long parameters) {
        refuseIf(parameters == 0, ErrorCode.INVALID_VALUE);
        long function = Host.getLong(parameters);
        refuseIf(function == 0, ErrorCode.INVALID_DEVICE_FUNCTION);
        LaunchConfiguration as =
                LaunchConfiguration.plain(
                        Dimensions.at(parameters + 8),
                        Dimensions.at(parameters + 20),
                        Host.getInt(parameters + 32),
                        0);
        Kernel kernel = device.modules().kernel(function);
        return device.work(function, prepared(kernel, as, Host.getLong(parameters + 40)));
    }

    private void requireShared(Kernel kernel, long dynamic) {
        long most = device.limits().dynamicShared(kernel);
        refuseIf(dynamic < 0 || dynamic > most, ErrorCode.INVALID_VALUE);
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
        refuseIf(function == 0, ErrorCode.INVALID_VALUE);
        device.submit(device.streams().of(stream), work(device, function, data));
    }

    /// What a call of the host does in the order of a stream. The host may tell itself what is done
    /// then.
    static Work work(Device device, long function, long data) {
        Runnable call = call(function, data);
        return new Work.Calling(
                function,
                data,
                () -> {
                    call.run();
                    device.streams().tellHost();
                });
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
        refuseIf(flags != 0 || function == 0, ErrorCode.INVALID_VALUE);
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
                                device.streams().tellHost();
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
