package dev.heddle.files;

import static dev.heddle.files.HandMade.dictionary;
import static dev.heddle.files.HandMade.hex;
import static dev.heddle.files.HandMade.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

@DisplayName(".npy files against bytes put together by hand")
final class NpyTest {
    private final Path folder;

    NpyTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @CsvSource({
        "<f2, f16, 00 3c 00 c0, 3c00 c000",
        ">f2, f16, 3c 00 c0 00, 3c00 c000",
        "<f4, f32, 00 00 80 3f 00 00 00 c0, 3f800000 c0000000",
        ">f4, f32, 3f 80 00 00 c0 00 00 00, 3f800000 c0000000",
        "<f8, f64, 00 00 00 00 00 00 f0 3f 01 00 00 00 00 00 00 80, 3ff0000000000000"
                + " 8000000000000001",
        ">f8, f64, 3f f0 00 00 00 00 00 00 80 00 00 00 00 00 00 01, 3ff0000000000000"
                + " 8000000000000001",
        "|i1, s8, ff 7f, ff 7f",
        "|u1, u8, ff 7f, ff 7f",
        "<i2, s16, fe ff 01 00, fffe 1",
        ">i2, s16, ff fe 00 01, fffe 1",
        "<u2, u16, fe ff 01 00, fffe 1",
        "<i4, s32, fe ff ff ff 01 02 03 04, fffffffe 4030201",
        ">u4, u32, ff ff ff fe 04 03 02 01, fffffffe 4030201",
        "<i8, s64, fe ff ff ff ff ff ff ff 01 00 00 00 00 00 00 00, fffffffffffffffe 1",
        "<u8, u64, fe ff ff ff ff ff ff ff 01 00 00 00 00 00 00 00, fffffffffffffffe 1",
        "|b1, b1, 01 00, 1 0",
        "|?, b1, 01 00, 1 0",
        "=f2, f16, 00 3c 00 c0, 3c00 c000",
    })
    void everyTypeInEitherByteOrder(String descr, String format, String data, String codes)
            throws IOException {
        for (int major = 1; major <= 3; major++) {
            Tensor tensor = read(npy(major, dictionary(descr, "(2,)"), hex(data)));
            assertThat(tensor.format()).isEqualTo(Format.parse(format));
            assertThat(tensor.shape()).containsExactly(2);
            assertThat(codes(tensor)).isEqualTo(codes);
            try (Arena arena = Arena.ofConfined()) {
                Npy.Mapped mapped = Npy.map(folder.resolve("a.npy"), Optional.empty(), arena);
                assertThat(mapped.shape()).containsExactly(2);
                assertThat(mapped.codes().toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(tensor.codes().bytes());
                assertThat(mapped.codes().isMapped())
                        .isEqualTo(!descr.startsWith(">") && tensor.format() != IntegerFormat.B1);
            }
        }
    }

    @Test
    void anArrayMayBeLargerThanAJavaArray() throws IOException {
        List<Integer> shape = List.of(40_000, 40_000);
        long last = 2L * 40_000 * 40_000 - 1;
        assumeTrue(Files.getFileStore(folder).getUsableSpace() > 2 * last, "needs room");
        Path file = folder.resolve("large.npy");
        Npy.map(
                file,
                FloatFormat.F16,
                shape,
                codes -> codes.set(ValueLayout.JAVA_BYTE, last, (byte) 0x3c));
        try (Arena arena = Arena.ofConfined()) {
            Npy.Mapped mapped = Npy.map(file, Optional.empty(), arena);
            assertThat(mapped.format()).isEqualTo(FloatFormat.F16);
            assertThat(mapped.shape()).isEqualTo(shape);
            assertThat(mapped.codes().byteSize()).isEqualTo(last + 1);
            assertThat(mapped.codes().get(ValueLayout.JAVA_BYTE, last)).isEqualTo((byte) 0x3c);
            assertThat(mapped.codes().get(ValueLayout.JAVA_BYTE, last - 1)).isZero();
        }
        assertThatExceptionOfType(TensorFileException.class)
                .isThrownBy(() -> Npy.read(file))
                .withMessageContaining("at most 2 GiB");
    }

    private static String codes(Tensor tensor) {
        return String.join(
                " ",
                LongStream.range(0, tensor.codes().length())
                        .mapToObj(i -> Long.toHexString(tensor.bits(i)))
                        .toList());
    }

    @Test
    void fortranOrderHasTheFirstIndexContiguous() throws IOException {
        String header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }";
        Tensor tensor = read(npy(1, header, hex("00 0a 01 0b 02 0c")));
        assertThat(tensor.shape()).containsExactly(2, 3);
        assertThat(tensor.codes().bytes()).containsExactly(0, 1, 2, 10, 11, 12);
        header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2, 2), }";
        tensor = read(npy(1, header, hex("00 04 02 06 01 05 03 07")));
        assertThat(tensor.codes().bytes()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'descr':'|u1','fortran_order':False,'shape':()}; 1",
                "{ \"shape\" : ( 1 , ) , \"fortran_order\" : False , \"descr\" : \"|u1\" }; 1",
                "{'descr': '|u1', 'fortran_order': False, 'shape': (1L, 1), }          ; 1",
                "{'descr': '|u1', 'fortran_order': False, 'shape': (0, 7), }; 0",
            })
    void headersAsPythonMayWriteThem(String header, int elements) throws IOException {
        assertThat(read(npy(1, header, new byte[elements])).codes().length()).isEqualTo(elements);
    }

    @ParameterizedTest
    @CsvSource({
        // carrier, data, asked for, codes
        "<u2, 80 3f 00 40, bf16, 3f80 4000",
        ">u2, 3f 80 40 00, bf16, 3f80 4000",
        "<V2, 80 3f 00 40, bf16, 3f80 4000",
        "|V2, 00 3c 00 40, f16, 3c00 4000",
        "|u1, 7f 80, e4m3, 7f 80",
        "|V1, 7f 80, e5m2, 7f 80",
        "|u1, 7f 80, ue8m0, 7f 80",
        "|u1, 3f 01, e3m2, 3f 1",
        "|u1, 0f 01, e2m1, f 1",
        "|V1, 0f 01, e2m1, f 1",
        "|V1, 0f 01, s4, f 1",
        "|i1, ff 07, s4, f 7",
        "<i8, ff ff ff ff ff ff ff ff 07 00 00 00 00 00 00 00, s8, ff 7",
        "|u1, 0f 07, u4, f 7",
        "|u1, 01 00, b1, 1 0",
        "|b1, 01 00, u8, 1 0",
        "<f4, 00 00 80 3f 00 e0 ff 3f, tf32, 3f800000 3fffe000",
        "<u4, 00 00 80 3f 00 e0 ff 3f, f32, 3f800000 3fffe000",
    })
    void codesOfFormatsThatNumPyDoesNotKnow(String descr, String data, String format, String codes)
            throws IOException {
        Path file = HandMade.file(folder, "a.npy", npy(1, dictionary(descr, "(2,)"), hex(data)));
        Tensor tensor = Npy.read(file, Format.parse(format));
        assertThat(tensor.format()).isEqualTo(Format.parse(format));
        assertThat(codes(tensor)).isEqualTo(codes);
    }

    @ParameterizedTest
    @CsvSource({
        "<f4, f16, dtype '<f4' holds .f32 elements; .f16 was asked for: expected .f16; or its codes"
                + " as unsigned integers of 16 bits",
        "<f2, bf16, dtype '<f2' holds .f16 elements; .bf16 was asked for: expected .bf16; or its"
                + " codes as unsigned integers of 16 bits",
        "<V4, f16, dtype '<V4' holds 32-bit raw elements; .f16 was asked for: expected .f16; or its"
                + " codes as unsigned integers of 16 bits",
        "<i4, e4m3, dtype '<i4' holds .s32 elements; .e4m3 was asked for: expected .e4m3; or its"
                + " codes as unsigned integers of 8 bits",
    })
    void refusesToChangeValues(String descr, String format, String message) throws IOException {
        int bytes = descr.charAt(2) - '0';
        assertRefused(
                npy(1, dictionary(descr, "(1,)"), new byte[bytes]),
                Format.parse(format),
                message.replace(';', ','));
    }

    @Test
    void refusesCodesAndValuesThatDoNotFit() throws IOException {
        assertRefused(
                npy(1, dictionary("|u1", "(2,)"), hex("01 10")),
                FloatFormat.E2M1,
                "element 1 of dtype '|u1' is 0x10: expected one .e2m1 code a byte, at most 0xf");
        assertRefused(
                npy(1, dictionary("<i2", "(2,)"), hex("01 00 7f ff")),
                IntegerFormat.S8,
                "element 1 of dtype '<i2' is -129: expected -128 to 127 for .s8");
    }

    private void assertRefused(byte[] bytes, Format format, String message) throws IOException {
        Path file = HandMade.file(folder, "a.npy", bytes);
        assertThatExceptionOfType(TensorFileException.class)
                .isThrownBy(() -> Npy.read(file, format))
                .withMessage(file + ": " + message);
    }

    @Test
    void refusesMalformedFiles() throws IOException {
        byte[] two = new byte[2];
        assertRefused("PK".getBytes(StandardCharsets.US_ASCII), "not a .npy file");
        assertRefused(new byte[0], "not a .npy file");
        assertRefused(npy(4, dictionary("|u1", "(2,)"), two), "version 4.0 of the format");
        assertRefused(npy(1, dictionary("<c8", "(2,)"), two), "dtype \"<c8\": expected one of f2");
        assertRefused(npy(1, dictionary("|O", "(2,)"), two), "dtype \"|O\": expected one of f2");
        assertRefused(npy(1, dictionary("|V2", "(1,)"), two), "dtype '|V2' is raw: say which");
        assertRefused(
                npy(1, dictionary("|u1", "(3,)"), two),
                "truncated: shape (3,) of '|u1' takes 3 bytes after the header, found 2");
        assertRefused(
                npy(1, dictionary("|u1", "()"), two),
                "too long: shape () of '|u1' takes 1 bytes after the header, found 2");
        assertRefused(
                npy(1, dictionary("|b1", "(2,)"), hex("01 02")),
                "element 1 is 0x02: expected a truth value, 0 or 1");
        assertRefused(
                npy(1, dictionary("|u1", "(-1,)"), two),
                "expected a dimension, 0 or more, found \"-1,), }\\u000a\"");
        assertRefused(
                npy(1, dictionary("|u1", "(99999999999999999999,)"), two),
                "dimension \"99999999999999999999\": expected at most 2147483647");
        // 2^64 + 2: two, if the digits wrapped around
        assertRefused(
                npy(1, dictionary("|u1", "(18446744073709551618,)"), two),
                "dimension \"18446744073709551618\": expected at most 2147483647");
        assertRefused(
                npy(1, dictionary("<f8", "(2147483647, 2147483647, 2147483647)"), two),
                "too many elements");
        assertRefused(
                npy(1, dictionary("<f8", "(2147483647, 2147483647)"), two), "too many elements");
        assertRefused(
                npy(1, dictionary("<f4", "(100000, 100000)"), two),
                "takes 40000000000 bytes after the header, found 2");
        assertRefused(
                npy(1, dictionary("|u1", "(" + "1,".repeat(65) + ")"), two),
                "more than 64 dimensions");
        assertRefused(npy(1, "{'descr': [('a', '<f4')], }", two), "structured dtype");
        assertRefused(npy(1, "{'descr': '|u1', }", two), "header has no key \"fortran_order\"");
        assertRefused(npy(1, "{'colour': '|u1', }", two), "header key \"colour\"");
        assertRefused(npy(1, "{'descr': '|u1', 'descr': '|u1'}", two), "appears twice");
        assertRefused(npy(1, dictionary("|u1", "(2,)") + "x", two), "expected the end, found \"x");
        byte[] longHeader = npy(2, dictionary("|u1", "(2,)"), two);
        longHeader[11] = 0x7F;
        assertRefused(longHeader, "expected at most 65536");
        byte[] cut = npy(1, dictionary("|u1", "(2,)"), two);
        assertRefused(Arrays.copyOf(cut, 20), "truncated: the header takes");
    }

    private void assertRefused(byte[] bytes, String message) throws IOException {
        Path file = HandMade.file(folder, "a.npy", bytes);
        assertThatExceptionOfType(TensorFileException.class)
                .isThrownBy(() -> Npy.read(file))
                .withMessageStartingWith(file + ": ")
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @Test
    void refusesWhatIsNoFile() {
        Path missing = folder.resolve("missing.npy");
        assertThatExceptionOfType(TensorFileException.class)
                .isThrownBy(() -> Npy.read(missing))
                .withMessage(missing + ": no such file or folder");
        assertThatExceptionOfType(TensorFileException.class)
                .isThrownBy(() -> Npy.read(folder))
                .withMessage(folder + ": is a folder: expected a file");
    }

    static List<Format> formats() {
        return Format.all();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void whatIsWrittenIsRead(Format format) throws IOException {
        Tensor tensor = Tensor.zeros(format, List.of(3, 5));
        for (int i = 0; i < 15; i++) {
            tensor.codes().set(i, 0x9E37_79B9_7F4A_7C15L * i);
        }
        Path file = folder.resolve("d.npy");
        Npy.write(file, tensor);
        assertThat(Npy.read(file, format)).isEqualTo(tensor);
        assertThat(Files.size(file) % 64).isEqualTo(15L * Math.max(1, bytes(format)) % 64);
    }

    private static int bytes(Format format) {
        return format.bits() / 8;
    }

    @ParameterizedTest
    @ValueSource(strings = {"(2, 3)"})
    void writesTheBytesOfTheFormat(String shape) throws IOException {
        Tensor tensor = Tensor.zeros(FloatFormat.BF16, List.of(2, 3));
        tensor.codes().set(1, 0x3F80);
        Path file = folder.resolve("d.npy");
        Npy.write(file, tensor);
        byte[] bytes = Files.readAllBytes(file);
        String header = "{'descr': '<u2', 'fortran_order': False, 'shape': " + shape + ", }";
        byte[] expected =
                npy(
                        1,
                        header + " ".repeat(128 - 10 - 1 - header.length()),
                        hex("00 00 80 3f 00 00 00 00 00 00 00 00"));
        assertThat(bytes).isEqualTo(expected);
    }

    private Tensor read(byte[] bytes) throws IOException {
        return Npy.read(HandMade.file(folder, "a.npy", bytes));
    }
}
