package dev.heddle.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/// Files assembled byte by byte from the words of the two file formats, without the code under
/// test.
final class HandMade {
    private HandMade() {}

    /// A `.npy` file: magic, version, length of the header, header, data.
    static byte[] npy(int major, String header, byte[] data) {
        byte[] text = (header + "\n").getBytes(StandardCharsets.UTF_8);
        ByteBuffer file =
                ByteBuffer.allocate(8 + (major == 1 ? 2 : 4) + text.length + data.length)
                        .order(ByteOrder.LITTLE_ENDIAN);
        file.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
        file.put((byte) major).put((byte) 0);
        if (major == 1) {
            file.putShort((short) text.length);
        } else {
            file.putInt(text.length);
        }
        return file.put(text).put(data).array();
    }

    /// The dictionary of a `.npy` header, as the format's document spells it.
    static String dictionary(String descr, String shape) {
        return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
    }

    /// A `.safetensors` file: length of the header, header, data.
    static byte[] safetensors(String header, byte[] data) {
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + text.length + data.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(text.length)
                .put(text)
                .put(data)
                .array();
    }

    static byte[] hex(String bytes) {
        return HexFormat.ofDelimiter(" ").parseHex(bytes);
    }

    static Path file(Path folder, String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }
}
