package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.runtime.DeviceFunctions;
import dev.heddle.vm.texture.TexelFormat;

/// CUDA Driver API 6.5 to 6.9 and 6.37: what is asked of a device and its contexts in other words
/// than the runtime's.
public record ContextFunctions(Device device, DeviceFunctions devices) {
    /// `CUdevprop`: the attributes of these numbers, in their order.
    private static final int PROPERTIES = 14;

    /// One user more of the context.
    public void cuCtxAttach(long into, int flags) {
        refuseIf(flags != 0, ErrorCode.INVALID_VALUE);
        Host.putLong(into, device.contexts().current());
    }

    /// One user less.
    public void cuCtxDetach(long context) {
        requireContext(context);
    }

    private void requireContext(long context) {
        device.contexts().require(context);
    }

    /// There is no other context; of its own a GPU says the same (H100, driver 580).
    public void cuCtxEnablePeerAccess(long peer, int flags) {
        refuseIf(flags != 0, ErrorCode.INVALID_VALUE);
        throw new CudaException(ErrorCode.PEER_ACCESS_UNSUPPORTED);
    }

    /// There is no other context.
    public void cuCtxDisablePeerAccess(long peer) {
        requireContext(peer);
        throw new CudaException(ErrorCode.PEER_ACCESS_NOT_ENABLED);
    }

    /// No context has a part of the multiprocessors.
    public void cuDeviceGetExecAffinitySupport(long into, int type, int number) {
        DeviceFunctions.require(number);
        refuseIf(type != 0, ErrorCode.INVALID_VALUE);
        Host.putInt(into, 0);
    }

    /// No context has a part of the multiprocessors.
    public void cuCtxGetExecAffinity(long into, int type) {
        refuseIf(type != 0, ErrorCode.INVALID_VALUE);
        throw new CudaException(ErrorCode.UNSUPPORTED_EXEC_AFFINITY);
    }

    /// Records an event behind the work of all streams.
    public void cuCtxRecordEvent(long context, long event) {
        requireContext(context);
        device.events().recordAll(device.events().of(event));
    }

    /// Lets all streams wait for an event.
    public void cuCtxWaitEvent(long context, long event) {
        requireContext(context);
        device.events().awaitInAll(device.events().of(event));
    }

    /// No stream has a part of the multiprocessors.
    public void cuStreamGetGreenCtx(long stream, long into) {
        device.streams().of(stream);
        Host.putLong(into, 0);
    }

    /// Writes a `CUdevprop`.
    public void cuDeviceGetProperties(long into, int number) {
        for (int i = 0; i < PROPERTIES; i++) {
            devices.cudaDeviceGetAttribute(into + 4L * i, i + 1, number);
        }
    }

    /// The most elements of a linear texture.
    public void cuDeviceGetTexture1DLinearMaxWidth(
            long into, int format, int channels, int number) {
        DeviceFunctions.require(number);
        TexelFormat asked = ArrayFormat.of(format, channels);
        Host.putLong(into, DeviceFunctions.widestLinearTexture(asked.bytes() * Byte.SIZE));
    }
}
