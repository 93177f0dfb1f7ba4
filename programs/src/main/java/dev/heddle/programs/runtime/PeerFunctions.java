package dev.heddle.programs.runtime;

import dev.heddle.programs.device.Copies;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

/// CUDA Runtime API 6.13, Peer Device Memory Access, and copies between devices: there is one.
public record PeerFunctions(LastError last, BoxCopies boxes, CopyFunctions lines) {
    private static final int SOURCE_DEVICE = 64;
    private static final int TARGET = 72;
    private static final int TARGET_DEVICE = 136;
    private static final int EXTENT = 144;

    public PeerFunctions(Device device, LastError last, CopyFunctions lines) {
        this(last, new BoxCopies(device), lines);
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

    /// A copy of bytes between devices.
    public Copies.Copy peerLine(long to, int toDevice, long from, int fromDevice, long bytes) {
        DeviceFunctions.require(toDevice);
        DeviceFunctions.require(fromDevice);
        return lines.line(to, from, bytes, Copies.DEVICE_TO_DEVICE);
    }

    /// A copy of a box between devices (`cudaMemcpy3DPeerParms`).
    public Copies.Copy peerBox(long parameters) {
        DeviceFunctions.require(Host.getInt(parameters + SOURCE_DEVICE));
        DeviceFunctions.require(Host.getInt(parameters + TARGET_DEVICE));
        return boxes.read(parameters, parameters + TARGET, parameters + EXTENT, Copies.BY_POINTERS);
    }
}
