package dev.heddle.cuda;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Observer;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Report;
import dev.heddle.vm.report.Verdict;
import dev.heddle.vm.scheduling.Grid.Extent;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A GPU as a [Machine]: the driver compiles the kernel's PTX, and the same launch runs on it.
///
/// It looks for nothing undefined, counts no instructions and tells an observer nothing. Poisoned
/// buffers hold the same pattern as on the other machines. Of the limits only the time counts; a
/// kernel that passes it cannot be stopped, so the GPU is of no more use in this process, as after
/// one that trapped.
public final class GpuMachine implements Machine, AutoCloseable {
    private static final byte POISON = (byte) 0xcd;

    private final Gpu gpu;
    private boolean lost;

    private GpuMachine(Gpu gpu) {
        this.gpu = gpu;
    }

    /// The machine of an opened GPU, closed with it.
    static GpuMachine of(Gpu gpu) {
        return new GpuMachine(gpu);
    }

    /// Opens the first GPU of this machine (0.3 to 0.5 s).
    ///
    /// @throws DriverUnavailableException if there is no driver
    /// @throws CudaException if the driver finds no GPU
    public static GpuMachine open() {
        return of(Gpu.open());
    }

    /// Name, architecture and CUDA version: `NVIDIA H200 (sm_90), CUDA 13.0`.
    @Override
    public String name() {
        return gpu.description();
    }

    /// The target that PTX names it by: `sm_90`.
    public String architecture() {
        return gpu.architecture();
    }

    /// Runs a kernel on the GPU.
    ///
    /// @throws CudaException where the driver does not compile the module or refuses the launch
    /// @throws IllegalArgumentException where the launch does not fit the kernel
    @Override
    public Outcome run(Kernel kernel, Launch launch, Observer observer) {
        kernel.requireFit(launch);
        if (lost) {
            throw new IllegalStateException(
                    "an earlier kernel has left the GPU unusable in this process: run again without"
                            + " it");
        }
        CudaModule module = gpu.context().load(kernel.source().text());
        Map<String, DeviceMemory> buffers = new LinkedHashMap<>();
        try {
            CudaFunction function = module.function(kernel.code().name());
            if (launch.dynamicShared() > 0) {
                function.allowDynamicShared(launch.dynamicShared());
            }
            Arguments arguments = arguments(launch, buffers);
            return prints(kernel)
                    ? printing(function, launch, arguments, buffers)
                    : run(function, launch, arguments, buffers);
        } finally {
            if (!lost) {
                buffers.values().forEach(DeviceMemory::close);
                module.close();
            }
        }
    }

    private static boolean prints(Kernel kernel) {
        return kernel.source().text().contains("vprintf");
    }

    private Outcome printing(
            CudaFunction function,
            Launch launch,
            Arguments arguments,
            Map<String, DeviceMemory> buffers) {
        try (KernelOutput output = KernelOutput.open()) {
            Outcome outcome = run(function, launch, arguments, buffers);
            return new Outcome(
                    outcome.findings(), outcome.buffers(), output.text(), outcome.report());
        }
    }

    private Outcome run(
            CudaFunction function,
            Launch launch,
            Arguments arguments,
            Map<String, DeviceMemory> buffers) {
        Context context = gpu.context();
        try (Event start = context.openEvent();
                Event end = context.openEvent()) {
            start.record(context.defaultStream());
            function.launch(
                    new LaunchShape(
                            extent(launch.grid()), extent(launch.block()), launch.dynamicShared()),
                    arguments);
            end.record(context.defaultStream());
            if (!awaitEnd(end, launch)) {
                lost = true;
                return endedBy(
                        Verdict.RESOURCE_EXHAUSTED,
                        "the launch ran for more than %.1f s"
                                .formatted(launch.limits().time().toNanos() / 1e9));
            }
            context.synchronize();
            Map<String, byte[]> contents = new LinkedHashMap<>();
            buffers.forEach((name, memory) -> contents.put(name, memory.toByteArray()));
            long nanoseconds = (long) (end.millisecondsSince(start) * 1e6);
            return new Outcome(List.of(), contents, "", Report.ofDevice(nanoseconds));
        } catch (CudaException e) {
            if (e.function().equals("cuLaunchKernel")) {
                throw e;
            }
            lost = true;
            return failed(e);
        }
    }

    private static boolean awaitEnd(Event end, Launch launch) {
        long deadline = System.nanoTime() + launch.limits().time().toNanos();
        while (!end.isTaken()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    private static Outcome failed(CudaException error) {
        Verdict verdict =
                switch (error.error()) {
                    case "CUDA_ERROR_ILLEGAL_ADDRESS",
                            "CUDA_ERROR_MISALIGNED_ADDRESS",
                            "CUDA_ERROR_INVALID_ADDRESS_SPACE",
                            "CUDA_ERROR_INVALID_PC" ->
                            Verdict.UNDEFINED_BEHAVIOR;
                    case "CUDA_ERROR_ASSERT" -> Verdict.ASSERTION_FAILED;
                    case "CUDA_ERROR_LAUNCH_TIMEOUT" -> Verdict.RESOURCE_EXHAUSTED;
                    default -> Verdict.TRAP;
                };
        return endedBy(verdict, "the GPU says " + error.getMessage());
    }

    private static Outcome endedBy(Verdict verdict, String message) {
        return new Outcome(
                List.of(new Finding(verdict, "", "", null, message, null, List.of())),
                Map.of(),
                "",
                Report.EMPTY);
    }

    private static LaunchShape.Extent extent(Extent extent) {
        return new LaunchShape.Extent(extent.x(), extent.y(), extent.z());
    }

    private Arguments arguments(Launch launch, Map<String, DeviceMemory> buffers) {
        Arguments.Builder values = Arguments.builder();
        for (Argument argument : launch.arguments()) {
            switch (argument) {
                case Argument.Value(byte[] bytes) -> values.bytes(MemorySegment.ofArray(bytes));
                case Argument.Buffer buffer ->
                        values.address(
                                buffers.computeIfAbsent(buffer.name(), _ -> allocate(buffer)));
                case Argument.TensorMap map ->
                        values.tensorMap(
                                encode(
                                        map,
                                        buffers.computeIfAbsent(
                                                map.name(),
                                                _ -> gpu.context().allocate(map.contents()))));
            }
        }
        return values.build();
    }

    private DeviceMemory allocate(Argument.Buffer buffer) {
        byte[] contents = buffer.contents();
        if (contents != null) {
            return gpu.context().allocate(contents);
        }
        DeviceMemory memory = gpu.context().allocate(Math.max(1, buffer.bytes()));
        memory.fill(POISON);
        return memory;
    }

    private TensorMap encode(Argument.TensorMap map, DeviceMemory memory) {
        List<TensorMap.Axis> axes = new ArrayList<>();
        long stride = map.format().bits() / Byte.SIZE;
        for (int i = 0; i < map.shape().size(); i++) {
            axes.add(new TensorMap.Axis(map.shape().get(i), stride, map.box().get(i), 1));
            stride *= map.shape().get(i);
        }
        TensorMap.Swizzle swizzle =
                switch (map.swizzle()) {
                    case 0 -> TensorMap.Swizzle.NONE;
                    case 32 -> TensorMap.Swizzle.BYTES_32;
                    case 64 -> TensorMap.Swizzle.BYTES_64;
                    default -> TensorMap.Swizzle.BYTES_128;
                };
        return TensorMap.encodeTiled(
                gpu.context(),
                memory.address(),
                axes,
                TensorMap.Tiling.of(type(map.format()), swizzle));
    }

    private static TensorMap.DataType type(Format format) {
        return switch (format) {
            case FloatFormat.F16 -> TensorMap.DataType.F16;
            case FloatFormat.BF16 -> TensorMap.DataType.BF16;
            case FloatFormat.F32 -> TensorMap.DataType.F32;
            case FloatFormat.TF32 -> TensorMap.DataType.TF32;
            case FloatFormat.F64 -> TensorMap.DataType.F64;
            case IntegerFormat.U16, IntegerFormat.S16 -> TensorMap.DataType.U16;
            case IntegerFormat.U32 -> TensorMap.DataType.U32;
            case IntegerFormat.S32 -> TensorMap.DataType.S32;
            case IntegerFormat.U64 -> TensorMap.DataType.U64;
            case IntegerFormat.S64 -> TensorMap.DataType.S64;
            default -> {
                if (format.bits() == Byte.SIZE) {
                    yield TensorMap.DataType.U8;
                }
                throw new IllegalArgumentException(
                        "a tensor map of " + format.ptxName() + ": expected 8 bits or more");
            }
        };
    }

    /// Closes the GPU; one that a kernel has left unusable stays as it is until the process ends.
    @Override
    public void close() {
        if (!lost) {
            gpu.close();
        }
    }
}
