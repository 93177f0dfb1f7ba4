package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.vm.texture.TexelFormat;
import dev.heddle.vm.texture.TexelFormat.Channel;

/// The structure `cudaChannelFormatDesc`: the bits of four channels, and their kind.
final class ChannelFormat {
    /// Its size.
    static final int BYTES = 20;

    private static final int KIND = 16;
    private static final int SIGNED = 0;
    private static final int UNSIGNED = 1;
    private static final int FLOAT = 2;

    private ChannelFormat() {}

    /// The format that a structure describes.
    ///
    /// @throws CudaException where there is none of one, two or four channels alike
    static TexelFormat read(long address) {
        int bits = Host.getInt(address);
        int channels = 0;
        for (int i = 0; i < 4; i++) {
            int each = Host.getInt(address + 4L * i);
            refuseIf(
                    each != 0 && (each != bits || channels != i),
                    ErrorCode.INVALID_CHANNEL_DESCRIPTOR);
            channels += each == 0 ? 0 : 1;
        }
        refuseIf(channels == 0 || channels == 3, ErrorCode.INVALID_CHANNEL_DESCRIPTOR);
        return new TexelFormat(channel(bits, Host.getInt(address + KIND)), channels);
    }

    private static Channel channel(int bits, int kind) {
        refuseIf(kind > FLOAT, ErrorCode.NOT_SUPPORTED);
        for (Channel channel : Channel.values()) {
            if (channel.bytes() * 8 == bits && kind(channel) == kind) {
                return channel;
            }
        }
        throw new CudaException(ErrorCode.INVALID_CHANNEL_DESCRIPTOR);
    }

    private static int kind(Channel channel) {
        return switch (channel) {
            case S8, S16, S32 -> SIGNED;
            case U8, U16, U32 -> UNSIGNED;
            case F16, F32 -> FLOAT;
        };
    }

    /// Writes the structure of a format.
    static void write(long into, TexelFormat format) {
        for (int i = 0; i < 4; i++) {
            int bits = i < format.channels() ? format.channel().bytes() * 8 : 0;
            Host.putInt(into + 4L * i, bits);
        }
        Host.putInt(into + KIND, kind(format.channel()));
    }
}
