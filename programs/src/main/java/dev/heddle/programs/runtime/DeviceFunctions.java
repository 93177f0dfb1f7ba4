package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Attributes;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.EntryPoints.AlwaysAnswers;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// CUDA Runtime API 6.1, Device Management, with versions, peers, profiler and limits.
public final class DeviceFunctions {
    private static final int RUNTIME_VERSION = 13000;

    /// `cudaDeviceScheduleMask`, `cudaDeviceMapHost`, `cudaDeviceLmemResizeToMax`,
    /// `cudaDeviceSyncMemops`.
    private static final int KNOWN_FLAGS = 0x9f;

    private static final int CACHE_PREFERENCES = 4;

    /// Of `cudaAtomicOperation`.
    private static final int ATOMIC_OPERATIONS = 13;

    private static final String BUS_ID = "0000:00:00.0";
    private static final Pattern BUS_IDS =
            Pattern.compile("(\\p{XDigit}+:)?\\p{XDigit}+:\\p{XDigit}+([.]\\p{XDigit}+)?");
    private static final int LIMIT_HEAP = 2;
    private static final int LIMIT_SYNC_DEPTH = 3;

    private final Device device;
    private final LastError last;
    private final Attributes attributes;
    private final Map<Integer, Long> limits =
            new HashMap<>(
                    Map.of(
                            0,
                            1024L,
                            1,
                            1L << 20,
                            LIMIT_HEAP,
                            8L << 20,
                            LIMIT_SYNC_DEPTH,
                            2L,
                            4,
                            2048L,
                            5,
                            128L,
                            6,
                            0L));
    private int flags;

    public DeviceFunctions(Device device, LastError last) throws IOException {
        this.device = device;
        this.last = last;
        attributes = new Attributes(device.capability());
    }

    /// Requires the number of the only device.
    public static void require(int number) {
        refuseIf(number != 0, ErrorCode.INVALID_DEVICE);
    }

    /// There is one device.
    @AlwaysAnswers
    public void cudaGetDeviceCount(long count) {
        Host.putInt(count, 1);
    }

    /// Its number is 0.
    @AlwaysAnswers
    public void cudaGetDevice(long number) {
        Host.putInt(number, 0);
    }

    /// Only device 0 can be chosen.
    @AlwaysAnswers
    public void cudaSetDevice(int number) {
        require(number);
        device.contexts().usePrimary();
    }

    /// Its primary context is there then, and current nowhere yet.
    public void cudaInitDevice(int number, int deviceFlags, int use) {
        require(number);
        device.contexts().startPrimary();
    }

    /// The only one.
    public void cudaChooseDevice(long number, long properties) {
        Host.putInt(number, 0);
    }

    /// Must name the only one.
    public void cudaSetValidDevices(long numbers, int count) {
        for (int i = 0; i < count; i++) {
            require(Host.getInt(numbers + 4L * i));
        }
    }

    /// How the host waits: a hint.
    public void cudaSetDeviceFlags(int wanted) {
        refuseIf((wanted & ~KNOWN_FLAGS) != 0, ErrorCode.INVALID_VALUE);
        flags = wanted;
    }

    /// The hint.
    public void cudaGetDeviceFlags(long into) {
        Host.putInt(into, flags);
    }

    /// Properties as `cudaDeviceProp` of CUDA 13.
    @AlwaysAnswers
    public void cudaGetDeviceProperties(long into, int number) {
        require(number);
        attributes.writeProperties(into, 13);
    }

    /// Properties as `cudaDeviceProp` of CUDA 12.
    @AlwaysAnswers
    public void cudaGetDeviceProperties_v2(long into, int number) {
        require(number);
        attributes.writeProperties(into, 12);
    }

    /// One attribute.
    @AlwaysAnswers
    public void cudaDeviceGetAttribute(long into, int attribute, int number) {
        require(number);
        Integer value = orRefuse(attributes.of(attribute), ErrorCode.INVALID_VALUE);
        Host.putInt(into, value);
    }

    /// Waits for all work.
    public void cudaDeviceSynchronize() {
        device.synchronize();
    }

    /// Forgets all, errors too.
    @AlwaysAnswers
    public void cudaDeviceReset() {
        device.contexts().resetPrimary();
        last.take();
    }

    /// Sets a limit.
    public void cudaDeviceSetLimit(int limit, long value) {
        requireLimit(limit);
        refuseIf(!limits.containsKey(limit), ErrorCode.INVALID_VALUE);
        limits.put(limit, value);
        if (limit == LIMIT_HEAP) {
            device.memory().limitHeap(value);
        }
    }

    /// Since compute capability 9.0 kernels cannot wait for what they start.
    private void requireLimit(int limit) {
        refuseIf(
                limit == LIMIT_SYNC_DEPTH && device.capability().number() >= 90,
                ErrorCode.UNSUPPORTED_LIMIT);
    }

    /// A limit.
    public void cudaDeviceGetLimit(long into, int limit) {
        requireLimit(limit);
        Long value = orRefuse(limits.get(limit), ErrorCode.INVALID_VALUE);
        Host.putLong(into, value);
    }

    /// A hint.
    public void cudaDeviceSetCacheConfig(int preference) {
        requireCachePreference(preference);
    }

    /// A `cudaFuncCache`.
    static void requireCachePreference(int preference) {
        refuseIf(preference < 0 || preference >= CACHE_PREFERENCES, ErrorCode.INVALID_VALUE);
    }

    /// No preference.
    public void cudaDeviceGetCacheConfig(long into) {
        Host.putInt(into, 0);
    }

    /// A hint.
    public void cudaDeviceSetSharedMemConfig(int configuration) {}

    /// Banks of four bytes.
    public void cudaDeviceGetSharedMemConfig(long into) {
        Host.putInt(into, 1);
    }

    /// Streams have these priorities.
    public void cudaDeviceGetStreamPriorityRange(long least, long greatest) {
        Host.putIntIfAsked(least, 0);
        Host.putIntIfAsked(greatest, -5);
    }

    /// A place on a bus that there is not.
    public void cudaDeviceGetPCIBusId(long into, int length, int number) {
        require(number);
        refuseIf(length <= BUS_ID.length(), ErrorCode.INVALID_VALUE);
        for (int i = 0; i < length; i++) {
            Host.putByte(into + i, i < BUS_ID.length() ? BUS_ID.charAt(i) : 0);
        }
    }

    /// The device at that place.
    public void cudaDeviceGetByPCIBusId(long into, long id) {
        refuseIf(!BUS_IDS.matcher(Host.text(id)).matches(), ErrorCode.INVALID_VALUE);
        Host.putInt(into, 0);
    }

    /// The version of runtime and driver: CUDA 13.0.
    @AlwaysAnswers
    public void cudaRuntimeGetVersion(long into) {
        Host.putInt(into, RUNTIME_VERSION);
    }

    /// The most elements of a linear texture (`cudaChannelFormatDesc`), as an H100 answers.
    public void cudaDeviceGetTexture1DLinearMaxWidth(long into, long format, int number) {
        require(number);
        int bits = 0;
        for (int channel = 0; channel < 4; channel++) {
            bits += Host.getInt(format + 4L * channel);
        }
        refuseIf(bits <= 0, ErrorCode.INVALID_VALUE);
        Host.putLong(into, widestLinearTexture(bits));
    }

    /// The most elements of a linear texture, of so many bits each.
    public static long widestLinearTexture(int bits) {
        return Math.min(1L << 30, (1L << 35) / bits);
    }

    /// A hint.
    public void cudaCtxResetPersistingL2Cache() {}

    /// Writes of other devices are there: there are none.
    public void cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope) {}

    /// Which atomics the device and the host's memory do together over a bus: none, as an H100
    /// answers.
    public void cudaDeviceGetHostAtomicCapabilities(
            long into, long operations, int count, int number) {
        require(number);
        refuseIf(count == 0, ErrorCode.INVALID_VALUE);
        for (int i = 0; i < count; i++) {
            int operation = Host.getInt(operations + 4L * i);
            refuseIf(operation < 0 || operation >= ATOMIC_OPERATIONS, ErrorCode.INVALID_VALUE);
            Host.putInt(into + 4L * i, 0);
        }
    }

    /// Nothing profiles.
    public void cudaProfilerStart() {}

    /// Loads what has managed variables; answers whether it did.
    public byte __cudaInitModule(long binary) {
        try {
            device.modules().initialize(binary);
            return 1;
        } catch (CudaException e) {
            last.set(e.code());
            return 0;
        }
    }
}
