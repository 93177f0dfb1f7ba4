package dev.heddle.tensorcore.golden;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/// Writes a golden file, packed with gzip.
public final class GoldenWriter implements Closeable {
    private final OutputStream stream;

    /// @param target closed with this writer
    public GoldenWriter(OutputStream target) throws IOException {
        stream = new BufferedOutputStream(new GZIPOutputStream(target, 1 << 16), 1 << 16);
        stream.write(GoldenReader.MAGIC.getBytes(StandardCharsets.US_ASCII));
    }

    /// Appends a form or a case; a case's form must come before it.
    public void write(GoldenRecord goldenRecord) throws IOException {
        switch (goldenRecord) {
            case GoldenForm form -> {
                StringBuilder text = new StringBuilder();
                form.properties()
                        .forEach(
                                (key, value) ->
                                        text.append(key).append('=').append(value).append('\n'));
                write("FORM", text.toString().getBytes(StandardCharsets.UTF_8));
            }
            case GoldenCase goldenCase -> write("CASE", payload(goldenCase));
        }
    }

    private void write(String tag, byte[] payload) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        head.put(tag.getBytes(StandardCharsets.US_ASCII)).putInt(payload.length);
        stream.write(head.array());
        stream.write(payload);
    }

    private static byte[] payload(GoldenCase goldenCase) {
        int[][] operands = {
            goldenCase.header(),
            goldenCase.a(),
            goldenCase.b(),
            goldenCase.c(),
            goldenCase.e(),
            goldenCase.d()
        };
        byte[][] matrices = {goldenCase.matrixA(), goldenCase.matrixB()};
        int size = 0;
        for (int[] words : operands) {
            size += words.length * Integer.BYTES;
        }
        for (byte[] matrix : matrices) {
            size += padded(matrix.length);
        }
        ByteBuffer buffer = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        for (int[] words : operands) {
            for (int word : words) {
                buffer.putInt(word);
            }
        }
        for (byte[] matrix : matrices) {
            buffer.put(matrix).position(buffer.position() + padded(matrix.length) - matrix.length);
        }
        return buffer.array();
    }

    private static int padded(int bytes) {
        return Math.ceilDiv(bytes, Integer.BYTES) * Integer.BYTES;
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
