package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.runtime.LaunchConfiguration;
import dev.heddle.programs.runtime.LaunchConfiguration.Dimensions;
import dev.heddle.programs.runtime.LaunchFunctions;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// CUDA Driver API 6.24, Execution Control, deprecated: launches as CUDA 3 had them, whose block
/// and arguments belong to the function.
public final class EarlyLaunchFunctions {
    private static final Dimensions ONE = new Dimensions(1, 1, 1);

    private final Device device;
    private final LaunchFunctions launches;
    private final Map<Long, Prepared> prepared = new ConcurrentHashMap<>();

    /// Functions on a device.
    public EarlyLaunchFunctions(Device device, LaunchFunctions launches) {
        this.device = device;
        this.launches = launches;
    }

    /// What a function is launched with next.
    ///
    /// @param arguments all of them, where its parameters lie
    private record Prepared(Dimensions block, int shared, MemorySegment arguments) {
        Prepared withArguments(int bytes) {
            MemorySegment room = MemorySegment.ofArray(new byte[bytes]);
            long kept = Math.min(bytes, arguments.byteSize());
            return new Prepared(block, shared, room.copyFrom(arguments.asSlice(0, kept)));
        }
    }

    private Prepared of(long function) {
        device.modules().kernel(function);
        return prepared.getOrDefault(
                function, new Prepared(ONE, 0, MemorySegment.ofArray(new byte[0])));
    }

    /// The block.
    public void cuFuncSetBlockShape(long function, int x, int y, int z) {
        refuseIf(x <= 0 || y <= 0 || z <= 0, ErrorCode.INVALID_VALUE);
        Prepared before = of(function);
        prepared.put(
                function, new Prepared(new Dimensions(x, y, z), before.shared, before.arguments));
    }

    /// Bytes of dynamic shared memory.
    public void cuFuncSetSharedSize(long function, int bytes) {
        Prepared before = of(function);
        prepared.put(function, new Prepared(before.block, bytes, before.arguments));
    }

    /// Bytes of all arguments.
    public void cuParamSetSize(long function, int bytes) {
        refuseIf(bytes < 0, ErrorCode.INVALID_VALUE);
        prepared.put(function, of(function).withArguments(bytes));
    }

    private MemorySegment room(long function, int offset, int bytes) {
        refuseIf(offset < 0 || bytes < 0, ErrorCode.INVALID_VALUE);
        long size = of(function).arguments.byteSize();
        cuParamSetSize(function, (int) Math.max(size, Math.addExact(offset, bytes)));
        return of(function).arguments.asSlice(offset, bytes);
    }

    /// An argument of 32 bits.
    public void cuParamSeti(long function, int offset, int value) {
        room(function, offset, Integer.BYTES).set(ValueLayout.JAVA_INT_UNALIGNED, 0, value);
    }

    /// An argument in single precision.
    public void cuParamSetf(long function, int offset, float value) {
        cuParamSeti(function, offset, Float.floatToRawIntBits(value));
    }

    /// An argument of any size.
    public void cuParamSetv(long function, int offset, long value, int bytes) {
        room(function, offset, bytes).copyFrom(Host.at(value, bytes));
    }

    /// Launches in the order of a stream.
    public void cuLaunchGridAsync(long function, int width, int height, long stream) {
        Prepared now = of(function);
        Dimensions grid = new Dimensions(width, height, 1);
        launches.launchWith(
                function,
                LaunchConfiguration.plain(grid, now.block, now.shared, stream),
                now.arguments);
    }

    /// Launches on each device, of which there is one, cooperatively (`CUDA_LAUNCH_PARAMS`).
    public void cuLaunchCooperativeKernelMultiDevice(long list, int devices, int flags) {
        refuseIf(devices != 1, ErrorCode.INVALID_VALUE);
        LaunchConfiguration as =
                LaunchConfiguration.plain(
                        Dimensions.at(list + 8),
                        Dimensions.at(list + 20),
                        Host.getInt(list + 32),
                        Host.getLong(list + 40));
        launches.launch(Host.getLong(list), as.together(), Host.getLong(list + 48), 0);
    }
}
