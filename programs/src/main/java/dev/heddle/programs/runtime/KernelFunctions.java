package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.isa.Target;
import dev.heddle.programs.device.Capability;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.host.HostCode;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Extent;

import java.util.List;
import java.util.function.ToIntFunction;

/// CUDA Runtime API 6.7 and 6.8: attributes of kernels, occupancy.
public record KernelFunctions(Device device) {
    private static final int ATTRIBUTES_BYTES = 144;
    private static final int MAX_DYNAMIC_SHARED = 8;

    /// `cudaFuncAttributePreferredSharedMemoryCarveout`: percent, or -1.
    private static final int CARVEOUT = 9;

    private static final int LARGE_CLUSTERS = 14;
    private static final int LAST_ATTRIBUTE = 15;
    private static final int WARP = 32;

    /// Writes a `cudaFuncAttributes`.
    public void cudaFuncGetAttributes(long into, long function) {
        Kernel kernel = device.modules().kernel(function);
        Host.at(into, ATTRIBUTES_BYTES).fill((byte) 0);
        for (int i = 0; i < 3; i++) {
            Host.putLong(into + 8L * i, attribute(kernel, i + 1));
        }
        Host.putInt(into + 24, attribute(kernel, 0));
        for (int i = 4; i < LARGE_CLUSTERS; i++) {
            Host.putInt(into + 12 + 4L * i, attribute(kernel, i));
        }
        Host.putInt(into + 72, attribute(kernel, LARGE_CLUSTERS));
    }

    /// The target of the PTX that was chosen for the device: by it libraries such as CUB know which
    /// of their variants was compiled.
    private int ptxVersion(Kernel kernel) {
        Target target = kernel.program().target();
        return target == null ? device.capability().number() : target.number();
    }

    /// Sets an attribute; only the most dynamic shared memory matters.
    public void cudaFuncSetAttribute(long function, int attribute, int value) {
        Kernel kernel = device.modules().kernel(function);
        if (attribute == MAX_DYNAMIC_SHARED) {
            refuseIf(
                    value < 0
                            || value + (long) kernel.code().ownSharedBytes()
                                    > device.capability().sharedOptIn(),
                    ErrorCode.INVALID_VALUE);
            device.limits().allowDynamicShared(kernel, value);
        } else if (attribute == LARGE_CLUSTERS) {
            device.limits().allowLargeClusters(kernel, value != 0);
        } else if (attribute < MAX_DYNAMIC_SHARED
                || attribute > LAST_ATTRIBUTE
                || attribute == CARVEOUT && (value < -1 || value > 100)) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    /// A hint.
    public void cudaFuncSetCacheConfig(long function, int preference) {
        DeviceFunctions.requireCachePreference(preference);
        device.modules().kernel(function);
    }

    /// The name in the PTX.
    public void cudaFuncGetName(long into, long function) {
        Host.putLong(into, Host.keep(device.modules().kernel(function).code().name()));
    }

    /// Where a parameter lies among all of a kernel, and its size in bytes.
    public void cudaFuncGetParamInfo(long function, long index, long offset, long bytes) {
        List<Code.Parameter> parameters = device.modules().kernel(function).code().parameters();
        refuseIf(index < 0 || index >= parameters.size() || offset == 0, ErrorCode.INVALID_VALUE);
        Code.Parameter parameter = parameters.get((int) index);
        Host.putLong(offset, parameter.offset());
        Host.putLongIfAsked(bytes, parameter.bytes());
    }

    /// The same for one device.
    public void cudaKernelSetAttributeForDevice(long kernel, int attribute, int value, int number) {
        DeviceFunctions.require(number);
        cudaFuncSetAttribute(kernel, attribute, value);
    }

    /// A kernel's handle is the host function.
    public void cudaGetFuncBySymbol(long into, long function) {
        device.modules().ofSymbol(function);
        Host.putLong(into, function);
    }

    /// CTAs of a kernel that fit on a multiprocessor.
    public void cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            long into, long function, int block, long dynamic) {
        refuseIf(block <= 0, ErrorCode.INVALID_VALUE);
        Kernel kernel = device.modules().kernel(function);
        Host.putInt(
                into,
                device.capability()
                        .residentBlocks(block, kernel.code().ownSharedBytes() + dynamic));
    }

    /// Shared memory left where so many CTAs run on a multiprocessor.
    public void cudaOccupancyAvailableDynamicSMemPerBlock(
            long into, long function, int blocks, int block) {
        Capability capability = device.capability();
        refuseIf(blocks < 1, ErrorCode.INVALID_VALUE);
        long each = capability.sharedPerMultiprocessor() / blocks - 1024L;
        long own = device.modules().kernel(function).code().ownSharedBytes();
        Host.putLong(into, Math.max(0, Math.min(each, capability.sharedOptIn()) - own));
    }

    /// How many clusters of a launch run at once (`cudaLaunchConfig_t`).
    public void cudaOccupancyMaxActiveClusters(long into, long function, long configuration) {
        clusters(into, function, LaunchConfiguration.ofRuntime(configuration));
    }

    /// The same of a `CUlaunchConfig`.
    public void cuOccupancyMaxActiveClusters(long into, long function, long configuration) {
        clusters(into, function, LaunchConfiguration.ofDriver(configuration));
    }

    private void clusters(long into, long function, LaunchConfiguration as) {
        Kernel kernel = device.modules().kernel(function);
        as.requireFit(kernel, device.limits().mostOfCluster(kernel));
        Launch launch = Launch.grid(1).block(1).withShape(as.shape());
        int resident =
                device.capability()
                        .residentBlocks(
                                (int) as.block().extent().count(),
                                kernel.code().ownSharedBytes() + as.dynamic());
        long all = (long) resident * device.capability().multiprocessors();
        Host.putInt(into, (int) (all / kernel.cluster(launch).count()));
    }

    /// The largest cluster that a launch may ask for: what is portable.
    public void cudaOccupancyMaxPotentialClusterSize(long into, long function, long configuration) {
        Kernel kernel = device.modules().kernel(function);
        Host.putInt(
                into,
                device.capability().number() >= 90 ? device.limits().mostOfCluster(kernel) : 1);
    }

    /// The clusters that a kernel requires, along an axis; 0 where it requires none.
    private static int cluster(Kernel kernel, ToIntFunction<Extent> axis) {
        Extent cluster = kernel.requiredCluster();
        return cluster == null ? 0 : axis.applyAsInt(cluster);
    }

    /// One attribute by its number.
    public void cuFuncGetAttribute(long into, int attribute, long function) {
        Host.putInt(into, attribute(device.modules().kernel(function), attribute));
    }

    private int attribute(Kernel kernel, int attribute) {
        return switch (attribute) {
            case 0 -> kernel.mostThreads();
            case 1 -> kernel.code().ownSharedBytes();
            case 2 -> kernel.program().constantBytes();
            case 3 -> kernel.code().frameBytes();
            case 4 -> 32;
            case 5 -> ptxVersion(kernel);
            case 6 -> device.capability().number();
            case MAX_DYNAMIC_SHARED -> (int) device.limits().dynamicShared(kernel);
            case 9 -> -1;
            case 10 -> kernel.requiredCluster() == null ? 0 : 1;
            case 11 -> cluster(kernel, Extent::x);
            case 12 -> cluster(kernel, Extent::y);
            case 13 -> cluster(kernel, Extent::z);
            case LARGE_CLUSTERS -> device.limits().allowsLargeClusters(kernel) ? 1 : 0;
            case 7, 15 -> 0;
            default -> throw new CudaException(ErrorCode.INVALID_VALUE);
        };
    }

    /// The block that fills a multiprocessor best, and how many of it fill the device. `dynamicOf`
    /// is a function of the block size, or null.
    public void cuOccupancyMaxPotentialBlockSize(
            long grid, long block, long function, long dynamicOf, long dynamic, int limit) {
        Kernel kernel = device.modules().kernel(function);
        int most = limit <= 0 ? Extent.MOST_THREADS : Math.min(limit, Extent.MOST_THREADS);
        int best = 0;
        int threads = 0;
        for (int size = most / WARP * WARP; size > 0; size -= WARP) {
            long shared = dynamicOf == 0 ? dynamic : HostCode.bytesOf(dynamicOf, size);
            int resident =
                    device.capability()
                            .residentBlocks(size, kernel.code().ownSharedBytes() + shared);
            if (resident * size > threads) {
                threads = resident * size;
                best = size;
            }
        }
        refuseIf(best == 0, ErrorCode.INVALID_VALUE);
        Host.putInt(block, best);
        Host.putInt(grid, threads / best * device.capability().multiprocessors());
    }
}
