package dev.heddle.cuda;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.KernelLaunch;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Observer;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Report;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// A GPU as a [Machine]: the driver compiles the kernel's PTX, and the same launch runs on it.
///
/// It looks for nothing undefined, counts no instructions and tells an observer nothing. Poisoned
/// buffers hold the same pattern as on the other machines. Of the limits only the time counts; a
/// kernel that passes it cannot be stopped, so the GPU is of no more use in this process, as after
/// one that trapped.
public final class GpuMachine implements Machine, AutoCloseable {
    /// What the driver refuses before a kernel runs: the GPU stays usable.
    private static final Set<String> REFUSALS =
            Set.of(
                    """
                    cuLaunchKernel cuLaunchKernelEx cuFuncSetAttribute cuModuleGetFunction
                    cuModuleGetGlobal cuTensorMapEncodeTiled cuTensorMapEncodeIm2col
                    """
                            .split("\\s"));

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

    /// Runs kernels on the GPU.
    ///
    /// @throws CudaException where the driver does not compile the module or refuses the launch
    /// @throws IllegalArgumentException where the launch does not fit the kernel
    @Override
    public Outcome run(List<KernelLaunch> launches, Observer observer) {
        KernelLaunch.requireFit(launches);
        if (lost) {
            throw new IllegalStateException(
                    "an earlier kernel has left the GPU unusable in this process: run again without"
                            + " it");
        }
        Kernel first = launches.getFirst().kernel();
        CudaModule module = gpu.context().load(first.source().text());
        GpuMemory memory = null;
        try {
            memory = new GpuMemory(gpu.context(), launches);
            return prints(first)
                    ? printing(module, launches, memory)
                    : run(module, launches, memory);
        } finally {
            if (!lost) {
                if (memory != null) {
                    memory.close();
                }
                module.close();
            }
        }
    }

    private static boolean prints(Kernel kernel) {
        return kernel.source().text().contains("vprintf");
    }

    private Outcome printing(CudaModule module, List<KernelLaunch> launches, GpuMemory memory) {
        try (KernelOutput output = KernelOutput.open()) {
            Outcome outcome = run(module, launches, memory);
            return new Outcome(outcome.found(), outcome.buffers(), output.text(), outcome.report());
        }
    }

    private Outcome run(CudaModule module, List<KernelLaunch> launches, GpuMemory memory) {
        try {
            long nanoseconds = 0;
            for (KernelLaunch one : launches) {
                memory.set(module, one);
                long took = run(module.function(one.kernel().code().name()), one.launch(), memory);
                if (took < 0) {
                    lost = true;
                    return endedBy(
                            Rule.TIME_LIMIT_REACHED,
                            "the launch ran for more than %.1f s"
                                    .formatted(one.launch().limits().time().toNanos() / 1e9));
                }
                nanoseconds += took;
            }
            return new Outcome(List.of(), memory.contents(), "", Report.ofDevice(nanoseconds));
        } catch (DriverException e) {
            if (REFUSALS.contains(e.function())) {
                throw e;
            }
            lost = true;
            return failed(e);
        }
    }

    /// Runs one kernel; returns the nanoseconds it took, or -1 where its time was up.
    private long run(CudaFunction function, Launch launch, GpuMemory memory) {
        if (launch.dynamicShared() > 0) {
            function.allowDynamicShared(launch.dynamicShared());
        }
        Arguments arguments = memory.arguments(launch);
        Context context = gpu.context();
        try (Event start = context.openEvent();
                Event end = context.openEvent()) {
            start.record(context.defaultStream());
            function.launch(shape(launch.shape()), arguments);
            end.record(context.defaultStream());
            if (!awaitEnd(end, launch)) {
                return -1;
            }
            context.synchronize();
            return (long) (end.millisecondsSince(start) * 1e6);
        }
    }

    private static LaunchShape shape(Launch.Shape shape) {
        Extent cluster = shape.cluster();
        return new LaunchShape(
                extent(shape.grid()),
                extent(shape.block()),
                shape.dynamicShared(),
                cluster == null ? null : extent(cluster),
                shape.cooperative());
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

    private static Outcome failed(DriverException error) {
        Rule rule =
                switch (error.error()) {
                    case "CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_INVALID_ADDRESS_SPACE" ->
                            Rule.OUT_OF_BOUNDS;
                    case "CUDA_ERROR_MISALIGNED_ADDRESS" -> Rule.MISALIGNED_ACCESS;
                    case "CUDA_ERROR_INVALID_PC" -> Rule.CALL_OF_NO_FUNCTION;
                    case "CUDA_ERROR_ASSERT" -> Rule.ASSERTION_FAILED;
                    case "CUDA_ERROR_LAUNCH_TIMEOUT" -> Rule.TIME_LIMIT_REACHED;
                    default -> Rule.TRAP;
                };
        return endedBy(rule, "the GPU says " + error.getMessage());
    }

    private static Outcome endedBy(Rule rule, String message) {
        return new Outcome(List.of(Finding.ofLaunch(rule, message)), Map.of(), "", Report.EMPTY);
    }

    private static LaunchShape.Extent extent(Extent extent) {
        return new LaunchShape.Extent(extent.x(), extent.y(), extent.z());
    }

    /// Closes the GPU; one that a kernel has left unusable stays as it is until the process ends.
    @Override
    public void close() {
        if (!lost) {
            gpu.close();
        }
    }
}
