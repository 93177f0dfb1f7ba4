package dev.heddle.files;

import dev.heddle.formats.Codes;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Packing;
import dev.heddle.formats.Tensor;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// `.npy` files, versions 1.0, 2.0 and 3.0 of the format, one array each.
///
/// The format: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>
public final class Npy {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int MAX_HEADER = 1 << 16;
    private static final int ALIGNMENT = 64;

    private Npy() {}

    /// The array of a file, in the format that the file names.
    ///
    /// @throws TensorFileException if it cannot be read, is no array of numbers, or its elements
    ///     are raw (`V2`)
    public static Tensor read(Path file) throws TensorFileException {
        CodeCarrier carrier = load(file);
        if (carrier.raw()) {
            throw new TensorFileException(
                    file,
                    "dtype %s is raw: say which format its elements have"
                            .formatted(carrier.dtype()));
        }
        return carrier.stored();
    }

    /// The array of a file as codes of a format: see the package for what may be read as what.
    ///
    /// @throws TensorFileException if it cannot be read, or its elements are not of that format
    public static Tensor read(Path file, Format format) throws TensorFileException {
        CodeCarrier carrier = load(file);
        try {
            return carrier.as(format);
        } catch (InputException e) {
            throw new TensorFileException(file, String.valueOf(e.getMessage()), e);
        }
    }

    /// An array of a file.
    ///
    /// @param codes one behind the other: the file itself where they are so in it, or a copy
    public record Mapped(Format format, List<Integer> shape, MemorySegment codes) {}

    /// What is made of a file's header, with the file open.
    private interface Use<T> {
        T of(InputFile input, long position, NpyHeader header) throws IOException;
    }

    /// The array of a file, which stays in the file where its bytes are the codes: an array may be
    /// larger than memory.
    ///
    /// @param asked the format of the elements; empty for the one that the file names
    /// @param arena how long the file stays mapped
    /// @throws TensorFileException as [#read] does
    public static Mapped map(Path file, Optional<Format> asked, Arena arena)
            throws TensorFileException {
        Optional<Mapped> mapped =
                open(
                        file,
                        (input, position, header) -> {
                            NpyType type = sized(input, position, header);
                            Format format = asked.orElse(type.format());
                            if (header.fortranOrder()
                                    || !standsAs(type, format)
                                    || type.raw() && asked.isEmpty()) {
                                return Optional.empty();
                            }
                            long bytes = input.size() - position;
                            return Optional.of(
                                    new Mapped(
                                            format,
                                            header.shape(),
                                            input.map(position, bytes, arena)));
                        });
        if (mapped.isPresent()) {
            return mapped.get();
        }
        Tensor tensor = asked.isPresent() ? read(file, asked.get()) : read(file);
        return new Mapped(
                tensor.format(), tensor.shape(), MemorySegment.ofArray(tensor.codes().bytes()));
    }

    /// Whether the bytes of elements are codes of a format, one behind the other.
    private static boolean standsAs(NpyType type, Format format) {
        return !type.bigEndian()
                && type.format() != IntegerFormat.B1
                && CodeCarrier.isSame(type.format(), type.raw(), format);
    }

    private static CodeCarrier load(Path file) throws TensorFileException {
        return open(file, Npy::data);
    }

    private static <T> T open(Path file, Use<T> use) throws TensorFileException {
        try (InputFile input = InputFile.open(file)) {
            byte[] start = input.read(0, Math.min(input.size(), 12), "the start");
            if (start.length < 10 || !Arrays.equals(MAGIC, Arrays.copyOf(start, MAGIC.length))) {
                throw input.problem(
                        "not a .npy file: expected 93 4e 55 4d 50 59 (NUMPY) at the start, found %s"
                                .formatted(HexFormat.ofDelimiter(" ").formatHex(start)));
            }
            try {
                return load(input, start, use);
            } catch (InputException e) {
                throw new TensorFileException(file, String.valueOf(e.getMessage()), e);
            }
        } catch (IOException e) {
            throw TensorFileException.of(file, e);
        }
    }

    private static <T> T load(InputFile input, byte[] start, Use<T> use) throws IOException {
        int major = start[6];
        if (major < 1 || major > 3) {
            throw new InputException(
                    "version %d.%d of the format: expected 1.0, 2.0 or 3.0"
                            .formatted(major, start[7]));
        }
        int lengthBytes = major == 1 ? 2 : 4;
        if (start.length < 8 + lengthBytes) {
            throw new InputException("truncated: %d bytes".formatted(start.length));
        }
        long length = littleEndian(start, 8, lengthBytes);
        if (length > MAX_HEADER) {
            throw new InputException(
                    "header of %d bytes: expected at most %d".formatted(length, MAX_HEADER));
        }
        byte[] text = input.read(8 + lengthBytes, length, "the header");
        NpyHeader header =
                NpyHeaderParser.parse(
                        new String(
                                text,
                                major < 3 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8));
        return use.of(input, 8 + lengthBytes + length, header);
    }

    /// The type of the elements, of which the file has as many bytes as the shape takes.
    private static NpyType sized(InputFile input, long position, NpyHeader header) {
        NpyType type = NpyType.parse(header.descr());
        long elements = Tensor.elements(header.shape());
        if (elements > Long.MAX_VALUE / type.bytes()) {
            throw new InputException(
                    "shape %s: too many elements".formatted(NpyHeader.tuple(header.shape())));
        }
        long expected = elements * type.bytes();
        long found = input.size() - position;
        if (found != expected) {
            throw new InputException(
                    "%s: shape %s of '%s' takes %d bytes after the header, found %d"
                            .formatted(
                                    found < expected ? "truncated" : "too long",
                                    NpyHeader.tuple(header.shape()),
                                    type.descr(),
                                    expected,
                                    found));
        }
        return type;
    }

    private static CodeCarrier data(InputFile input, long position, NpyHeader header)
            throws IOException {
        NpyType type = sized(input, position, header);
        long elements = Tensor.elements(header.shape());
        Codes.byteSize(type.format(), elements);
        byte[] bytes = input.read(position, elements * type.bytes(), "the data");
        if (type.bigEndian()) {
            reverse(bytes, type.bytes());
        }
        Codes codes =
                type.format() == IntegerFormat.B1
                        ? CodeCarrier.truths(bytes)
                        : Codes.wrap(type.format(), elements, bytes);
        return new CodeCarrier(
                header.fortranOrder()
                        ? contiguousLast(header.shape(), codes)
                        : new Tensor(header.shape(), codes),
                "'" + type.descr() + "'",
                type.raw());
    }

    private static long littleEndian(byte[] bytes, int at, int count) {
        long value = 0;
        for (int i = count - 1; i >= 0; i--) {
            value = (value << 8) | (bytes[at + i] & 0xFF);
        }
        return value;
    }

    private static void reverse(byte[] bytes, int width) {
        for (int start = 0; start < bytes.length; start += width) {
            for (int low = start, high = start + width - 1; low < high; low++, high--) {
                byte swapped = bytes[low];
                bytes[low] = bytes[high];
                bytes[high] = swapped;
            }
        }
    }

    /// Elements that were stored with the first dimension contiguous.
    private static Tensor contiguousLast(List<Integer> shape, Codes codes) {
        Tensor tensor = Tensor.zeros(codes.format(), shape);
        int[] index = new int[shape.size()];
        for (long stored = 0; stored < codes.length(); stored++) {
            long place = 0;
            for (int i = 0; i < index.length; i++) {
                place = place * shape.get(i) + index[i];
            }
            tensor.codes().set(place, codes.bits(stored));
            for (int i = 0; i < index.length && ++index[i] == shape.get(i); i++) {
                index[i] = 0;
            }
        }
        return tensor;
    }

    /// Writes an array, in C order and little-endian, as version 1.0.
    ///
    /// A format that NumPy does not know is written as its codes: bf16 as `u2`, formats of eight
    /// bits and less as `u1`, one code a byte; tf32 as `f4`, s4 as the values in `i1`, b1 as `b1`.
    ///
    /// @throws TensorFileException if the file cannot be written; what was there stays
    public static void write(Path file, Tensor tensor) throws TensorFileException {
        Format format = tensor.format();
        byte[] header = header(format, tensor.shape());
        FileReplacement.write(
                file,
                out -> {
                    out.write(header);
                    out.write(
                            format.bits() < Byte.SIZE
                                    ? CodeCarrier.bytes(tensor.codes()).bytes()
                                    : tensor.codes().bytes());
                });
    }

    /// Writes an array by filling its codes in the file, in any order and by any threads: it may be
    /// larger than memory.
    ///
    /// @param format of eight bits or more, so that codes are in bytes of their own
    /// @param content takes the memory of the codes, zeros
    /// @throws TensorFileException if the file cannot be written; what was there stays
    public static void map(
            Path file, Format format, List<Integer> shape, FileReplacement.MappedContent content)
            throws TensorFileException {
        if (format.bits() < Byte.SIZE) {
            throw new IllegalArgumentException(format + ": a code takes less than a byte");
        }
        byte[] header = header(format, shape);
        int bytes = Packing.dense(format).containerBits() / Byte.SIZE;
        long size = Math.addExact(header.length, Math.multiplyExact(Tensor.elements(shape), bytes));
        FileReplacement.map(
                file,
                size,
                memory -> {
                    MemorySegment.copy(header, 0, memory, ValueLayout.JAVA_BYTE, 0, header.length);
                    content.writeTo(memory.asSlice(header.length));
                });
    }

    /// The bytes before the data, in version 1.0.
    private static byte[] header(Format format, List<Integer> shape) {
        String text = new NpyHeader(NpyType.descr(format), false, shape).print();
        int unpadded = MAGIC.length + 4 + text.length() + 1;
        int padding = (ALIGNMENT - unpadded % ALIGNMENT) % ALIGNMENT;
        byte[] padded = (text + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(MAGIC.length + 4 + padded.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(MAGIC)
                .put((byte) 1)
                .put((byte) 0)
                .putShort((short) padded.length)
                .put(padded)
                .array();
    }
}
