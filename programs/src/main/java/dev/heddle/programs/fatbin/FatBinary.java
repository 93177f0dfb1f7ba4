package dev.heddle.programs.fatbin;

import dev.heddle.formats.InputException;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Reads fat binaries as `fatbinary` writes them: a header, then members one after the other, each
/// with a header of its own. NVIDIA does not document the format; ZLUDA describes it.
public final class FatBinary {
    /// The first four bytes of a fat binary, as a little-endian number.
    public static final int MAGIC = 0xba55_ed50;

    private static final int MEMBER_HEADER = 64;
    private static final int KIND_PTX = 1;
    private static final int KIND_ELF = 2;
    private static final long LZ4 = 0x2000;
    private static final long ZSTD = 0x8000;
    private static final long MOST_BYTES = 512 << 20;

    private FatBinary() {}

    /// The whole size of the fat binary that starts here, header included.
    ///
    /// @param header its first 16 bytes
    /// @throws InputException where none starts here
    public static long size(ByteBuffer header) {
        ByteBuffer bytes = header.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int at = bytes.position();
        if (bytes.remaining() < 16 || bytes.getInt(at) != MAGIC) {
            throw new InputException("no fat binary: it does not begin with 50 ed 55 ba");
        }
        long size = bytes.getLong(at + 8);
        if (size < 0 || size > MOST_BYTES) {
            throw new InputException("a fat binary of %d bytes".formatted(size));
        }
        return (bytes.getShort(at + 6) & 0xffff) + size;
    }

    /// The members of the fat binary that starts at the buffer's position.
    ///
    /// @throws InputException where it is damaged
    public static List<DeviceImage> read(ByteBuffer binary) {
        ByteBuffer bytes = binary.slice().order(ByteOrder.LITTLE_ENDIAN);
        int end = (int) Math.min(bytes.limit(), size(bytes));
        List<DeviceImage> images = new ArrayList<>();
        int at = bytes.getShort(6) & 0xffff;
        while (at + MEMBER_HEADER <= end) {
            int header = bytes.getInt(at + 4);
            long payload = bytes.getLong(at + 8);
            long next = at + (long) header + payload;
            if (header < MEMBER_HEADER || payload < 0 || next > end) {
                throw new InputException(
                        "a member at byte %d of the fat binary reaches beyond its end"
                                .formatted(at));
            }
            images.add(member(bytes, at, header, (int) payload));
            at = (int) next;
        }
        return images;
    }

    private static DeviceImage member(ByteBuffer bytes, int at, int header, int payload) {
        DeviceImage.Kind kind =
                switch (bytes.getShort(at) & 0xffff) {
                    case KIND_PTX -> DeviceImage.Kind.PTX;
                    case KIND_ELF -> DeviceImage.Kind.CUBIN;
                    default -> DeviceImage.Kind.OTHER;
                };
        int capability = bytes.getInt(at + 28);
        long flags = bytes.getLong(at + 40);
        int compressed = bytes.getInt(at + 16);
        long whole = bytes.getLong(at + 56);
        int length = (flags & (LZ4 | ZSTD)) == 0 ? payload : compressed;
        if (length < 0 || length > payload) {
            throw new InputException("a member of the fat binary is cut off");
        }
        if (kind != DeviceImage.Kind.PTX) {
            return new DeviceImage(kind, capability, "");
        }
        byte[] content = new byte[length];
        bytes.get(at + header, content);
        if ((flags & (LZ4 | ZSTD)) != 0) {
            content = expanded(content, whole, (flags & ZSTD) != 0);
        }
        return new DeviceImage(kind, capability, text(content));
    }

    private static byte[] expanded(byte[] content, long whole, boolean zstd) {
        if (whole < 0 || whole > MOST_BYTES) {
            throw new InputException("a member of the fat binary of %d bytes".formatted(whole));
        }
        byte[] out = new byte[(int) whole];
        try {
            int length =
                    zstd
                            ? new ZstdJavaDecompressor()
                                    .decompress(content, 0, content.length, out, 0, out.length)
                            : new Lz4JavaDecompressor()
                                    .decompress(content, 0, content.length, out, 0, out.length);
            if (length < 0) {
                throw new InputException("a member of the fat binary is empty");
            }
            return Arrays.copyOf(out, length);
        } catch (MalformedInputException e) {
            throw new InputException(
                    "a member of the fat binary does not decompress: " + e.getMessage(), e);
        }
    }

    private static String text(byte[] padded) {
        int length = padded.length;
        while (length > 0 && padded[length - 1] == 0) {
            length--;
        }
        return new String(padded, 0, length, StandardCharsets.UTF_8);
    }
}
