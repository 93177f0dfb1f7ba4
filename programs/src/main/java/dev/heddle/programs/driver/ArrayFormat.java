package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.vm.texture.TexelFormat;
import dev.heddle.vm.texture.TexelFormat.Channel;

/// A `CUarray_format` with the number of channels behind it.
final class ArrayFormat {
    /// Bytes of both.
    static final int BYTES = 8;

    private ArrayFormat() {}

    /// The format at an address.
    ///
    /// @throws CudaException where it is not here, or not of one, two or four channels
    static TexelFormat read(long address) {
        return of(Host.getInt(address), Host.getInt(address + 4));
    }

    /// A format of so many channels.
    ///
    /// @throws CudaException where it is not here, or not of one, two or four channels
    static TexelFormat of(int number, int channels) {
        refuseIf(channels != 1 && channels != 2 && channels != 4, ErrorCode.INVALID_VALUE);
        for (Channel channel : Channel.values()) {
            if (channel.driverNumber() == number) {
                return new TexelFormat(channel, channels);
            }
        }
        throw new CudaException(ErrorCode.NOT_SUPPORTED);
    }

    /// Writes both.
    static void write(long into, TexelFormat format) {
        Host.putInt(into, format.channel().driverNumber());
        Host.putInt(into + 4, format.channels());
    }
}
