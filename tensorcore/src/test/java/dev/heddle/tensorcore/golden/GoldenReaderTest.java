package dev.heddle.tensorcore.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;

final class GoldenReaderTest {
    private static final GoldenForm FORM =
            new GoldenForm(
                    new LinkedHashMap<>(
                            Map.of(
                                    "id", "7",
                                    "opcode", "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32",
                                    "asource", "reg")));

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        byte[] plain = plain();
        for (byte[] file : new byte[][] {plain, packed()}) {
            try (GoldenReader reader = open(file)) {
                assertThat(reader.next()).contains(FORM);
                GoldenCase goldenCase = (GoldenCase) reader.next().orElseThrow();
                assertThat(goldenCase.a()).containsExactly(sequence(32, 1));
                assertThat(goldenCase.d()).containsExactly(sequence(64, 4));
                assertThat(goldenCase.matrixA()).containsExactly(1, 2, 3);
                assertThat(reader.formOf(goldenCase)).isEqualTo(FORM);
                assertThat(reader.next()).isEmpty();
            }
        }
    }

    @Test
    void everyCutIsNoticed() throws IOException {
        byte[] plain = plain();
        for (int length = 0; length < plain.length; length += 7) {
            byte[] cut = Arrays.copyOf(plain, length);
            int end = 8 + 8 + payload(plain, 8);
            if (length == 8 || length == end) {
                continue; // a whole number of records is a file
            }
            assertThatThrownBy(() -> readAll(cut))
                    .as("%d bytes", length)
                    .isInstanceOf(GoldenFormatException.class)
                    .hasMessageContaining("ends within");
        }
    }

    @Test
    void aPackedFileThatIsCutIsNoticed() throws IOException {
        byte[] packed = packed();
        assertThatThrownBy(() -> readAll(Arrays.copyOf(packed, packed.length / 2)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void otherFilesAreRefused() throws IOException {
        assertRefused(bytes("PK\3\4 is a zip"), "byte 0: expected NVGOLD01");
        assertRefused(bytes("NVGOLD01FROM\0\0\0\0"), "byte 8: record \"FROM\": expected FORM");
        assertRefused(bytes("NVGOLD01CASE\0\0\0\0"), "shorter than its header");
        assertRefused(bytes("NVGOLD01FORM\4\0\0\0abcd"), "expected key=value");
        assertRefused(bytes("NVGOLD01FORM\5\0\0\0id=1\n"), "form without opcode");
        assertRefused(bytes("NVGOLD01FORM\0\0\0\177"), "record FORM of 2130706432 bytes");
    }

    @Test
    void aCaseOfAnotherSizeThanItsHeaderSaysIsRefused() throws IOException {
        byte[] plain = plain();
        int header = 8 + 8 + payload(plain, 8) + 8;
        plain[header + 16 * 4] = 2; // nA
        assertRefused(plain, "its header asks for");
    }

    private static void assertRefused(byte[] file, String message) {
        assertThatThrownBy(() -> readAll(file))
                .isInstanceOf(GoldenFormatException.class)
                .hasMessageContaining(message);
    }

    private static void readAll(byte[] file) throws IOException {
        try (GoldenReader reader = open(file)) {
            while (reader.next().isPresent()) {
                // only whether it can be read
            }
        }
    }

    private static GoldenReader open(byte[] file) throws IOException {
        return GoldenReader.open("vectors", new ByteArrayInputStream(file));
    }

    private static int payload(byte[] file, int at) {
        return file[at + 4] & 0xFF | (file[at + 5] & 0xFF) << 8;
    }

    private static byte[] packed() throws IOException {
        int[] header = new int[GoldenCase.HEADER_WORDS];
        header[0] = 7;
        header[15] = 32;
        header[16] = 1;
        header[17] = 1;
        header[18] = 2;
        header[20] = 2;
        header[21] = 3;
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GoldenWriter writer = new GoldenWriter(file)) {
            writer.write(FORM);
            writer.write(
                    new GoldenCase(
                            header,
                            sequence(32, 1),
                            sequence(32, 2),
                            sequence(64, 3),
                            new int[0],
                            sequence(64, 4),
                            new byte[] {1, 2, 3},
                            new byte[0]));
        }
        return file.toByteArray();
    }

    private static byte[] plain() throws IOException {
        return new GZIPInputStream(new ByteArrayInputStream(packed())).readAllBytes();
    }

    private static int[] sequence(int length, int step) {
        int[] words = new int[length];
        for (int at = 0; at < length; at++) {
            words[at] = at * step;
        }
        return words;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
