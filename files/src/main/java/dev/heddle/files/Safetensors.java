package dev.heddle.files;

import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;

import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The named tensors of a `.safetensors` file: the header, read and checked. The data stays in the
/// file until a tensor is read.
///
/// The format: <https://github.com/huggingface/safetensors#format>
public final class Safetensors {
    private static final int ALIGNMENT = 8;

    private final Path file;
    private final Map<String, SafetensorsEntry> entries;
    private final Map<String, String> metadata;
    private final long dataStart;

    private Safetensors(
            Path file,
            Map<String, SafetensorsEntry> entries,
            Map<String, String> metadata,
            long dataStart) {
        this.file = file;
        this.entries = entries;
        this.metadata = metadata;
        this.dataStart = dataStart;
    }

    /// Reads the header of a file.
    ///
    /// @throws TensorFileException if it cannot be read, or its header does not describe its data
    public static Safetensors open(Path file) throws TensorFileException {
        try (InputFile input = InputFile.open(file)) {
            try {
                long length =
                        ByteBuffer.wrap(input.read(0, Long.BYTES, "the length of the header"))
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getLong();
                SafetensorsHeader.checkLength(length);
                byte[] header = input.read(Long.BYTES, length, "the header");
                long dataStart = Long.BYTES + length;
                return new Safetensors(
                        file,
                        SafetensorsHeader.parse(header, input.size() - dataStart),
                        SafetensorsHeader.metadata(header),
                        dataStart);
            } catch (InputException e) {
                throw new TensorFileException(file, String.valueOf(e.getMessage()), e);
            }
        } catch (IOException e) {
            throw TensorFileException.of(file, e);
        }
    }

    /// The names of the tensors, in the order of the header.
    public Set<String> names() {
        return Collections.unmodifiableSet(entries.keySet());
    }

    /// A tensor, in the format that the file names.
    ///
    /// @throws TensorFileException if there is none of that name, or it cannot be read
    public Tensor read(String name) throws TensorFileException {
        return load(name).stored();
    }

    /// A tensor as codes of a format: see the package for what may be read as what.
    ///
    /// @throws TensorFileException if there is none of that name, it cannot be read, or its
    ///     elements are not of that format
    public Tensor read(String name, Format format) throws TensorFileException {
        CodeCarrier carrier = load(name);
        try {
            return carrier.as(format);
        } catch (InputException e) {
            throw problem(name, e);
        }
    }

    /// What the file says of itself beside its tensors, as `__metadata__`.
    public Map<String, String> metadata() {
        return Collections.unmodifiableMap(metadata);
    }

    /// What a tensor is, without its data.
    ///
    /// @throws TensorFileException if there is none of that name
    public TensorHeader header(String name) throws TensorFileException {
        SafetensorsEntry entry = entry(name);
        return new TensorHeader(name, SafetensorsType.format(entry.dtype()), entry.shape());
    }

    /// The bytes of a tensor where they lie in the file, of any size, to read.
    ///
    /// @param arena how long they can be read
    /// @throws TensorFileException if there is none of that name, or the file cannot be mapped
    public MemorySegment map(String name, Arena arena) throws TensorFileException {
        SafetensorsEntry entry = entry(name);
        try (FileChannel channel = FileChannel.open(file)) {
            if (channel.size() < dataStart + entry.end()) {
                throw new TensorFileException(file, "became shorter while it was read");
            }
            return channel.map(
                    FileChannel.MapMode.READ_ONLY,
                    dataStart + entry.begin(),
                    entry.byteLength(),
                    arena);
        } catch (IOException e) {
            throw TensorFileException.of(file, e);
        }
    }

    private SafetensorsEntry entry(String name) throws TensorFileException {
        SafetensorsEntry entry = entries.get(name);
        if (entry == null) {
            throw new TensorFileException(
                    file,
                    "no tensor %s: expected one of %s"
                            .formatted(TensorFileException.quoted(name), nameList()));
        }
        return entry;
    }

    private CodeCarrier load(String name) throws TensorFileException {
        SafetensorsEntry entry = entry(name);
        try (InputFile input = InputFile.open(file)) {
            Codes.byteSize(SafetensorsType.format(entry.dtype()), Tensor.elements(entry.shape()));
            byte[] bytes =
                    input.read(dataStart + entry.begin(), entry.byteLength(), "tensor " + name);
            Format format = SafetensorsType.format(entry.dtype());
            Codes codes =
                    format == IntegerFormat.B1
                            ? CodeCarrier.truths(bytes)
                            : Codes.wrap(format, Tensor.elements(entry.shape()), bytes);
            return new CodeCarrier(new Tensor(entry.shape(), codes), entry.dtype(), false);
        } catch (IOException e) {
            throw TensorFileException.of(file, e);
        } catch (InputException e) {
            throw problem(name, e);
        }
    }

    private TensorFileException problem(String name, IllegalArgumentException e) {
        return new TensorFileException(
                file,
                "tensor %s: %s".formatted(TensorFileException.quoted(name), e.getMessage()),
                e);
    }

    /// The first few names, quoted, for a message.
    String nameList() {
        List<String> shown =
                entries.keySet().stream().limit(10).map(TensorFileException::quoted).toList();
        return String.join(" ", shown) + (entries.size() > shown.size() ? " ..." : "");
    }

    /// Writes tensors under their names, the widest elements first so that all are aligned.
    ///
    /// A format that the file format does not know is carried in integers: e3m2, e2m3 and u4 in
    /// `U8`, one code a byte, s4 as the values in `I8`, tf32 in `F32`, ue4m3 in `F8_E4M3`.
    ///
    /// @throws InputException if an e2m1 tensor does not fill whole bytes, or a name is
    ///     the reserved `__metadata__`
    /// @throws TensorFileException if the file cannot be written; what was there stays
    public static void write(Path file, Map<String, Tensor> tensors) throws TensorFileException {
        List<Map.Entry<String, Tensor>> widestFirst = new ArrayList<>(tensors.entrySet());
        widestFirst.sort(Comparator.comparingInt(named -> -named.getValue().format().bits()));
        Map<String, Object> header = new LinkedHashMap<>();
        List<byte[]> data = new ArrayList<>();
        long offset = 0;
        for (Map.Entry<String, Tensor> named : widestFirst) {
            String name = named.getKey();
            Tensor tensor = named.getValue();
            byte[] bytes = bytes(name, tensor);
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("dtype", SafetensorsType.dtype(tensor.format()));
            entry.put("shape", tensor.shape());
            entry.put("data_offsets", List.of(offset, offset + bytes.length));
            header.put(name, entry);
            data.add(bytes);
            offset += bytes.length;
        }
        byte[] text = JSON.std.asBytes(header);
        int padding = (ALIGNMENT - text.length % ALIGNMENT) % ALIGNMENT;
        FileReplacement.write(
                file,
                out -> {
                    out.write(
                            ByteBuffer.allocate(Long.BYTES)
                                    .order(ByteOrder.LITTLE_ENDIAN)
                                    .putLong(text.length + padding)
                                    .array());
                    out.write(text);
                    out.write(" ".repeat(padding).getBytes(StandardCharsets.US_ASCII));
                    for (byte[] bytes : data) {
                        out.write(bytes);
                    }
                });
    }

    private static byte[] bytes(String name, Tensor tensor) {
        if (name.equals(SafetensorsHeader.METADATA)) {
            throw new InputException("tensor name %s: reserved by the file format".formatted(name));
        }
        Codes codes = tensor.codes();
        if (tensor.format() == FloatFormat.E2M1) {
            if (codes.length() % 2 != 0) {
                throw new InputException(
                        "tensor %s: %d elements of .e2m1: expected an even number, two fill a byte"
                                .formatted(name, codes.length()));
            }
            return codes.bytes();
        }
        return tensor.format().bits() < Byte.SIZE
                ? CodeCarrier.bytes(codes).bytes()
                : codes.bytes();
    }
}
