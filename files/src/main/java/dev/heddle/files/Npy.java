package dev.heddle.files;

import dev.heddle.formats.Codes;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

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
        Carrier carrier = load(file);
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
        Carrier carrier = load(file);
        try {
            return carrier.as(format);
        } catch (IllegalArgumentException e) {
            throw new TensorFileException(file, String.valueOf(e.getMessage()), e);
        }
    }

    private static Carrier load(Path file) throws TensorFileException {
        try (InputFile input = InputFile.open(file)) {
            byte[] start = input.read(0, Math.min(input.size(), 12), "the start");
            if (start.length < 10 || !Arrays.equals(MAGIC, Arrays.copyOf(start, MAGIC.length))) {
                throw input.problem(
                        "not a .npy file: expected 93 4e 55 4d 50 59 (NUMPY) at the start, found %s"
                                .formatted(HexFormat.ofDelimiter(" ").formatHex(start)));
            }
            try {
                return load(input, start);
            } catch (IllegalArgumentException e) {
                throw new TensorFileException(file, String.valueOf(e.getMessage()), e);
            }
        } catch (IOException e) {
            throw TensorFileException.of(file, e);
        }
    }

    private static Carrier load(InputFile input, byte[] start) throws IOException {
        int major = start[6];
        if (major < 1 || major > 3) {
            throw new IllegalArgumentException(
                    "version %d.%d of the format: expected 1.0, 2.0 or 3.0"
                            .formatted(major, start[7]));
        }
        int lengthBytes = major == 1 ? 2 : 4;
        if (start.length < 8 + lengthBytes) {
            throw new IllegalArgumentException("truncated: %d bytes".formatted(start.length));
        }
        long length = littleEndian(start, 8, lengthBytes);
        if (length > MAX_HEADER) {
            throw new IllegalArgumentException(
                    "header of %d bytes: expected at most %d".formatted(length, MAX_HEADER));
        }
        byte[] text = input.read(8 + lengthBytes, length, "the header");
        NpyHeader header =
                NpyHeaderParser.parse(
                        new String(
                                text,
                                major < 3 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8));
        return data(input, 8 + lengthBytes + length, header);
    }

    private static Carrier data(InputFile input, long position, NpyHeader header)
            throws IOException {
        NpyType type = NpyType.parse(header.descr());
        long elements = Tensor.elements(header.shape());
        Codes.byteSize(type.format(), elements);
        long expected = elements * type.bytes();
        long found = input.size() - position;
        if (found != expected) {
            throw new IllegalArgumentException(
                    "%s: shape %s of '%s' takes %d bytes after the header, found %d"
                            .formatted(
                                    found < expected ? "truncated" : "too long",
                                    NpyHeader.tuple(header.shape()),
                                    type.descr(),
                                    expected,
                                    found));
        }
        byte[] bytes = input.read(position, expected, "the data");
        if (type.bigEndian()) {
            reverse(bytes, type.bytes());
        }
        Codes codes =
                type.format() == IntegerFormat.B1
                        ? Carrier.truths(bytes)
                        : Codes.wrap(type.format(), elements, bytes);
        return new Carrier(
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
        NpyHeader header = new NpyHeader(NpyType.descr(format), false, tensor.shape());
        String text = header.print();
        int unpadded = MAGIC.length + 4 + text.length() + 1;
        int padding = (ALIGNMENT - unpadded % ALIGNMENT) % ALIGNMENT;
        int length = text.length() + padding + 1;
        FileReplacement.write(
                file,
                out -> {
                    out.write(MAGIC);
                    out.write(new byte[] {1, 0, (byte) length, (byte) (length >> 8)});
                    out.write(
                            (text + " ".repeat(padding) + "\n")
                                    .getBytes(StandardCharsets.US_ASCII));
                    out.write(
                            format.bits() < Byte.SIZE
                                    ? Carrier.bytes(tensor.codes()).bytes()
                                    : tensor.codes().bytes());
                });
    }
}
