package dev.heddle.files;

import static dev.heddle.files.HandMade.hex;
import static dev.heddle.files.HandMade.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

@DisplayName(".safetensors files against bytes put together by hand")
final class SafetensorsTest {
    private final Path folder;

    SafetensorsTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @CsvSource({
        "F64, f64, 01 02 03 04 05 06 07 08, 807060504030201",
        "F32, f32, 00 00 80 3f, 3f800000",
        "F16, f16, 00 3c, 3c00",
        "BF16, bf16, 80 3f, 3f80",
        "F8_E5M2, e5m2, 7b, 7b",
        "F8_E4M3, e4m3, 7e, 7e",
        "F8_E8M0, ue8m0, 7f, 7f",
        "I64, s64, fe ff ff ff ff ff ff ff, fffffffffffffffe",
        "U64, u64, fe ff ff ff ff ff ff ff, fffffffffffffffe",
        "I32, s32, fe ff ff ff, fffffffe",
        "U32, u32, fe ff ff ff, fffffffe",
        "I16, s16, fe ff, fffe",
        "U16, u16, fe ff, fffe",
        "I8, s8, fe, fe",
        "U8, u8, fe, fe",
        "BOOL, b1, 01, 1",
    })
    void everyType(String dtype, String format, String data, String code) throws IOException {
        Tensor tensor = open(single(dtype, "[1]", hex(data))).read("x");
        assertThat(tensor.format()).isEqualTo(Format.parse(format));
        assertThat(tensor.bits(0)).isEqualTo(Long.parseUnsignedLong(code, 16));
    }

    @Test
    void twoFourBitCodesShareAByte() throws IOException {
        Tensor tensor = open(single("F4", "[2, 2]", hex("21 43"))).read("x");
        assertThat(tensor.shape()).containsExactly(2, 2);
        for (int i = 0; i < 4; i++) {
            assertThat(tensor.bits(i)).isEqualTo(i + 1);
        }
    }

    @Test
    void namedTensorsInAnyOrder() throws IOException {
        String header =
                """
                {"__metadata__": {"by": "hand"},
                 "b": {"dtype": "U8", "shape": [2], "data_offsets": [4, 6]},
                 "a": {"data_offsets": [0, 4], "shape": [], "dtype": "F32"},
                 "none": {"dtype": "F32", "shape": [0, 3], "data_offsets": [6, 6]}}  \
                """;
        Safetensors file = open(safetensors(header, hex("00 00 80 3f 07 08")));
        assertThat(file.names()).containsExactly("b", "a", "none");
        assertThat(file.read("a").codes().toDouble(0)).isEqualTo(1.0);
        assertThat(file.read("a").shape()).isEmpty();
        assertThat(file.read("b").codes().bytes()).containsExactly(7, 8);
        assertThat(file.read("b", FloatFormat.E4M3).bits(1)).isEqualTo(8);
        assertThat(file.read("none").codes().length()).isZero();
        assertThatExceptionOfType(TensorFileException.class)
                .isThrownBy(() -> file.read("c"))
                .withMessageEndingWith("no tensor \"c\": expected one of \"b\" \"a\" \"none\"");
        assertThatExceptionOfType(TensorFileException.class)
                .isThrownBy(() -> file.read("b", FloatFormat.F16))
                .withMessageContaining("tensor \"b\": dtype U8 holds .u8 elements, .f16 was asked");
    }

    @Test
    void refusesMalformedFiles() throws IOException {
        byte[] two = new byte[2];
        assertRefused(new byte[7], "truncated: the length of the header takes 8 bytes");
        assertRefused(hex("ff ff ff ff ff ff ff ff"), "header of 18446744073709551615 bytes");
        assertRefused(hex("00 00 00 00 01 00 00 00"), "header of 4294967296 bytes: expected 2 to");
        assertRefused(hex("00 01 00 00 00 00 00 00 7b"), "truncated: the header takes 256 bytes");
        assertRefused(safetensors("[]", two), "header starts with 0x5b: expected {");
        assertRefused(safetensors("{\"a\": ", two), "header is no JSON");
        assertRefused(safetensors("{} x", new byte[0]), "header is no JSON");
        assertRefused(safetensors("{\"a\": 1}", two), "tensor \"a\": expected a JSON object");
        assertRefused(
                single("F17", "[2]", two), "tensor \"x\": dtype \"F17\": expected one of F64");
        assertRefused(single("F6_E3M2", "[4]", two), "dtype \"F6_E3M2\": expected one of F64");
        assertRefused(
                single("U8", "[3]", two),
                "tensor \"x\": shape [3] of U8 takes 3 bytes, data_offsets 0 to 2 hold 2");
        assertRefused(single("U8", "[-2]", two), "shape: expected integers of at least 0, found");
        assertRefused(single("U8", "[2.0]", two), "found \"2.0\"");
        assertRefused(single("U8", "[1e999]", two), "found \"Infinity\"");
        assertRefused(
                single("U8", "[99999999999999999999]", two), "expected integers of at least 0");
        assertRefused(single("U8", "[3000000000]", two), "dimension 3000000000: expected at most");
        assertRefused(single("F64", "[2147483647, 2147483647]", two), "too many elements");
        assertRefused(single("F4", "[3]", two), "3 elements of F4 do not fill whole bytes");
        assertRefused(
                safetensors(
                        "{\"x\": {\"dtype\": \"U8\", \"shape\": [2], \"data_offsets\": [1, 3]}}",
                        new byte[3]),
                "a tensor starts at byte 1 of the data: expected 0");
        assertRefused(
                safetensors(
                        "{\"x\": {\"dtype\": \"U8\", \"shape\": [2], \"data_offsets\": [2, 0]}}",
                        two),
                "data_offsets: expected two numbers, the first not above the second");
        assertRefused(
                safetensors(
                        "{\"x\": {\"dtype\": \"U8\", \"shape\": [2], \"data_offsets\": [0, 2]}}",
                        new byte[1]),
                "truncated: the tensors take 2 bytes after the header, found 1");
        assertRefused(
                safetensors(
                        """
                        {"x": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},
                         "x": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}}\
                        """,
                        two),
                "header is no JSON: \"Duplicate key");
        assertRefused(safetensors("{\"a\":".repeat(2000), two), "header is no JSON");
    }

    private void assertRefused(byte[] bytes, String message) throws IOException {
        Path file = HandMade.file(folder, "a.safetensors", bytes);
        assertThatExceptionOfType(TensorFileException.class)
                .isThrownBy(() -> Safetensors.open(file))
                .withMessageStartingWith(file + ": ")
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (Format format : Format.all()) {
            Tensor tensor = Tensor.zeros(format, List.of(3, 4));
            for (int i = 0; i < 12; i++) {
                tensor.codes().set(i, (0x9E37_79B9_7F4A_7C15L * i) & 0x7F7F_7F7F_7F7F_7F7FL);
            }
            tensors.put("layer \"0\"/" + format, tensor);
        }
        Path file = folder.resolve("d.safetensors");
        Safetensors.write(file, tensors);
        Safetensors written = Safetensors.open(file);
        assertThat(written.names()).containsExactlyInAnyOrderElementsOf(tensors.keySet());
        tensors.forEach(
                (name, tensor) -> {
                    try {
                        Format natural = written.read(name).format();
                        Tensor read =
                                tensor.format() == FloatFormat.UE4M3
                                        ? written.read(name).reinterpret(FloatFormat.UE4M3)
                                        : written.read(name, tensor.format());
                        assertThat(read).as("%s as %s", name, natural).isEqualTo(tensor);
                    } catch (TensorFileException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @Test
    void writesTheBytesOfTheFormat() throws IOException {
        Tensor small = Tensor.zeros(IntegerFormat.U8, List.of(3));
        small.codes().set(2, 9);
        Tensor wide = Tensor.zeros(FloatFormat.F32, List.of(1));
        wide.codes().set(0, 0x3F80_0000);
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        tensors.put("s", small);
        tensors.put("w", wide);
        Path file = folder.resolve("d.safetensors");
        Safetensors.write(file, tensors);
        String header =
                "{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
                        + "\"s\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[4,7]}}";
        String padded = header + " ".repeat(Math.floorMod(-header.length(), 8));
        assertThat(Files.readAllBytes(file))
                .isEqualTo(safetensors(padded, hex("00 00 80 3f 00 00 09")));
    }

    @Test
    void refusesWhatTheFormatCannotHold() {
        Path file = folder.resolve("d.safetensors");
        Tensor odd = Tensor.zeros(FloatFormat.E2M1, List.of(3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Safetensors.write(file, Map.of("x", odd)))
                .withMessageContaining("expected an even number");
        Tensor tensor = Tensor.zeros(FloatFormat.F16, List.of(3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Safetensors.write(file, Map.of("__metadata__", tensor)))
                .withMessageContaining("reserved");
        assertThat(file).doesNotExist();
    }

    private static byte[] single(String dtype, String shape, byte[] data) {
        return safetensors(
                "{\"x\": {\"dtype\": \"%s\", \"shape\": %s, \"data_offsets\": [0, %d]}}"
                        .formatted(dtype, shape, data.length),
                data);
    }

    private Safetensors open(byte[] bytes) throws IOException {
        return Safetensors.open(HandMade.file(folder, "a.safetensors", bytes));
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() throws IOException {
        byte[] bytes = single("U8", "[2]", new byte[2]);
        int quote = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("x");
        bytes[quote] = (byte) 0xFF;
        assertRefused(bytes, "header is no JSON");
    }
}
