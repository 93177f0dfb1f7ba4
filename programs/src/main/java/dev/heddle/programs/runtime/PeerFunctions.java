package dev.heddle.programs.runtime;

import dev.heddle.programs.device.Copies;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

/// CUDA Runtime API 6.13, Peer Device Memory Access, and copies between devices: there is one.
public final class PeerFunctions {
    private static final int SOURCE_DEVICE = 64;
    private static final int TARGET = 72;
    private static final int TARGET_DEVICE = 136;
    private static final int EXTENT = 144;

    private final LastError last;
    private final Copies copies;
    private final BoxCopies boxes;
    private final CopyFunctions lines;

    public PeerFunctions(Device device, LastError last, CopyFunctions lines) {
        this.last = last;
        this.lines = lines;
        copies = device.copies();
        boxes = new BoxCopies(device);
    }

    /// A device is no peer of itself.
    public void cudaDeviceCanAccessPeer(long into, int number, int peer) {
        DeviceFunctions.require(number);
        DeviceFunctions.require(peer);
        Host.putInt(into, 0);
    }

    /// There is no peer.
    public int cudaDeviceEnablePeerAccess(int peer, int reserved) {
        return last.set(peer == 0 ? ErrorCode.PEER_ACCESS_UNSUPPORTED : ErrorCode.INVALID_DEVICE);
    }

    /// There is no peer.
    public int cudaDeviceDisablePeerAccess(int peer) {
        return last.set(ErrorCode.PEER_ACCESS_NOT_ENABLED);
    }

    /// There are no two devices to ask about.
    public int cudaDeviceGetP2PAttribute(long into, int attribute, int from, int to) {
        return last.set(into == 0 ? ErrorCode.INVALID_VALUE : ErrorCode.INVALID_DEVICE);
    }

    /// There are no two devices to ask about.
    public int cudaDeviceGetP2PAtomicCapabilities(
            long into, long operations, int count, int from, int to) {
        return last.set(into == 0 ? ErrorCode.INVALID_VALUE : ErrorCode.INVALID_DEVICE);
    }

    /// Copies bytes between devices.
    public void cudaMemcpyPeer(long to, int toDevice, long from, int fromDevice, long bytes) {
        DeviceFunctions.require(toDevice);
        DeviceFunctions.require(fromDevice);
        lines.cudaMemcpy(to, from, bytes, Copies.DEVICE_TO_DEVICE);
    }

    /// The same in the order of a stream.
    public void cudaMemcpyPeerAsync(
            long to, int toDevice, long from, int fromDevice, long bytes, long stream) {
        DeviceFunctions.require(toDevice);
        DeviceFunctions.require(fromDevice);
        lines.cudaMemcpyAsync(to, from, bytes, Copies.DEVICE_TO_DEVICE, stream);
    }

    /// Copies a box between devices (`cudaMemcpy3DPeerParms`).
    public void cudaMemcpy3DPeer(long parameters) {
        copies.now(box(parameters));
    }

    /// The same in the order of a stream.
    public void cudaMemcpy3DPeerAsync(long parameters, long stream) {
        copies.later(box(parameters), stream);
    }

    private Copies.Copy box(long parameters) {
        DeviceFunctions.require(Host.getInt(parameters + SOURCE_DEVICE));
        DeviceFunctions.require(Host.getInt(parameters + TARGET_DEVICE));
        return boxes.read(parameters, parameters + TARGET, parameters + EXTENT, Copies.BY_POINTERS);
    }
}
