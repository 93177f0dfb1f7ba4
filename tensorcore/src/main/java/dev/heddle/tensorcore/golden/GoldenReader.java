package dev.heddle.tensorcore.golden;

import dev.heddle.formats.InputException;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/// Reads a golden file record by record, never holding more than one.
public final class GoldenReader implements Closeable {
    static final String MAGIC = "NVGOLD01";

    /// No record of any form comes near: the largest case has about 150 KiB.
    private static final int LARGEST_RECORD = 1 << 24;

    private final String name;
    private final InputStream stream;
    private final Map<Integer, GoldenForm> forms = new HashMap<>();
    private long offset;

    private GoldenReader(String name, InputStream stream) {
        this.name = name;
        this.stream = stream;
    }

    /// Opens a file, packed with gzip or plain.
    ///
    /// @throws GoldenFormatException if it does not begin as a golden file does
    public static GoldenReader open(Path file) throws IOException {
        return open(file.toString(), Files.newInputStream(file));
    }

    /// Reads from a stream, packed with gzip or plain, and closes it in the end.
    ///
    /// @param name what messages call it
    public static GoldenReader open(String name, InputStream source) throws IOException {
        InputStream stream = new BufferedInputStream(source, 1 << 16);
        try {
            stream.mark(2);
            boolean packed = stream.read() == 0x1F && stream.read() == 0x8B;
            stream.reset();
            if (packed) {
                stream = new BufferedInputStream(new GZIPInputStream(stream, 1 << 16), 1 << 16);
            }
            GoldenReader reader = new GoldenReader(name, stream);
            byte[] magic = reader.bytes(MAGIC.length(), "the file's first eight bytes");
            if (!Arrays.equals(magic, MAGIC.getBytes(StandardCharsets.US_ASCII))) {
                throw new GoldenFormatException(
                        name, 0, "expected " + MAGIC + ": this is no file of golden vectors");
            }
            return reader;
        } catch (IOException e) {
            stream.close();
            throw e;
        }
    }

    /// The next record; nothing at the end of the file.
    ///
    /// @throws GoldenFormatException if the record is cut short or malformed
    public Optional<GoldenRecord> next() throws IOException {
        long start = offset;
        int first = stream.read();
        if (first < 0) {
            return Optional.empty();
        }
        offset++;
        byte[] head = bytes(7, "a record's head");
        String tag = (char) first + new String(head, 0, 3, StandardCharsets.US_ASCII);
        int length = little(head).getInt(3);
        if (length < 0 || length > LARGEST_RECORD) {
            throw new GoldenFormatException(
                    name, start, "record %s of %d bytes".formatted(tag, length & 0xFFFF_FFFFL));
        }
        byte[] payload = bytes(length, "a " + tag + " record of " + length + " bytes");
        return Optional.of(
                switch (tag) {
                    case "FORM" -> form(payload, start);
                    case "CASE" -> goldenCase(payload, start);
                    default ->
                            throw new GoldenFormatException(
                                    name, start, "record \"" + tag + "\": expected FORM or CASE");
                });
    }

    /// The form that a case belongs to, once its record has been read.
    ///
    /// @throws InputException if no such form came before
    public GoldenForm formOf(GoldenCase goldenCase) {
        GoldenForm form = forms.get(goldenCase.formId());
        if (form == null) {
            throw new InputException("no form with id " + goldenCase.formId());
        }
        return form;
    }

    private GoldenForm form(byte[] payload, long start) throws GoldenFormatException {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String line : new String(payload, StandardCharsets.UTF_8).split("\n", -1)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                properties.put(line.substring(0, equals), line.substring(equals + 1).strip());
            } else if (!line.isBlank()) {
                throw new GoldenFormatException(
                        name, start, "line \"" + line + "\": expected key=value");
            }
        }
        try {
            GoldenForm form = new GoldenForm(properties);
            forms.put(form.id(), form);
            return form;
        } catch (InputException e) {
            throw new GoldenFormatException(name, start, String.valueOf(e.getMessage()));
        }
    }

    private GoldenCase goldenCase(byte[] payload, long start) throws GoldenFormatException {
        if (payload.length < GoldenCase.HEADER_WORDS * Integer.BYTES) {
            throw new GoldenFormatException(
                    name, start, "case of " + payload.length + " bytes: shorter than its header");
        }
        ByteBuffer buffer = little(payload);
        int[] header = words(buffer, GoldenCase.HEADER_WORDS);
        if (!forms.containsKey(header[0])) {
            throw new GoldenFormatException(
                    name, start, "case of form " + header[0] + ", which did not come before");
        }
        if (header[4] < 0 || header[4] >= GoldenCase.Metadata.values().length) {
            throw new GoldenFormatException(
                    name, start, "metadata group " + header[4] + ": expected 0, 1 or 2");
        }
        long expected = GoldenCase.HEADER_WORDS;
        for (int operand = 16; operand <= 20; operand++) {
            expected += bounded(header[15], start) * (long) bounded(header[operand], start);
        }
        int bytesA = bounded(header[21], start);
        int bytesB = bounded(header[22], start);
        expected = expected * Integer.BYTES + padded(bytesA) + padded(bytesB);
        if (payload.length != expected) {
            throw new GoldenFormatException(
                    name,
                    start,
                    "case of %d bytes: its header asks for %d".formatted(payload.length, expected));
        }
        int lanes = header[15];
        return new GoldenCase(
                header,
                words(buffer, lanes * header[16]),
                words(buffer, lanes * header[17]),
                words(buffer, lanes * header[18]),
                words(buffer, lanes * header[19]),
                words(buffer, lanes * header[20]),
                matrix(buffer, bytesA),
                matrix(buffer, bytesB));
    }

    private int bounded(int value, long start) throws GoldenFormatException {
        if (value < 0 || value > LARGEST_RECORD) {
            throw new GoldenFormatException(
                    name, start, "size %d in a case's header".formatted(value & 0xFFFF_FFFFL));
        }
        return value;
    }

    private static int padded(int bytes) {
        return Math.ceilDiv(bytes, Integer.BYTES) * Integer.BYTES;
    }

    private static int[] words(ByteBuffer buffer, int count) {
        int[] words = new int[count];
        for (int i = 0; i < count; i++) {
            words[i] = buffer.getInt();
        }
        return words;
    }

    private static byte[] matrix(ByteBuffer buffer, int count) {
        byte[] bytes = new byte[count];
        buffer.get(bytes);
        buffer.position(buffer.position() + padded(count) - count);
        return bytes;
    }

    private byte[] bytes(int count, String what) throws IOException {
        byte[] bytes;
        try {
            bytes = stream.readNBytes(count);
        } catch (EOFException e) {
            throw new GoldenFormatException(name, offset, "the packed data end within " + what);
        }
        if (bytes.length < count) {
            throw new GoldenFormatException(
                    name,
                    offset,
                    "the file ends within %s, after %d of %d bytes"
                            .formatted(what, bytes.length, count));
        }
        offset += count;
        return bytes;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
