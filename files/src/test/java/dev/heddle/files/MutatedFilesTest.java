package dev.heddle.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// `-Dheddle.mutations=500000 -Dheddle.seed=1` runs the campaign, so many of each kind.
@DisplayName("Damaged files: each is read, or refused with one message")
final class MutatedFilesTest {
    private static final long SEED = Long.getLong("heddle.seed", 20260105);
    private static final int FILES = Integer.getInteger("heddle.mutations", 10_000);
    private static final String[] TOKENS = {
        "-1",
        "99999999999",
        "4294967296",
        "0x10",
        "1e9",
        "None",
        "nan",
        "[",
        "{",
        "((",
        ")",
        "}",
        "'",
        "\"",
        "\\",
        ",",
        ":",
        "\n",
        "\0",
        "'<f8'",
        "'|O'",
        "'V'",
        "''",
        "True",
        "\"F4\"",
        "\u00e9",
        "null",
        "[[[[",
        "9223372036854775807",
        "18446744073709551616",
    };

    private final RandomGenerator random =
            RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(SEED);
    private final Path folder;
    private int count;

    MutatedFilesTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void npy() throws IOException {
        byte[][] good = {
            HandMade.npy(1, HandMade.dictionary("<f2", "(2, 4)"), new byte[16]),
            HandMade.npy(2, HandMade.dictionary(">f4", "(4,)"), new byte[16]),
            HandMade.npy(3, HandMade.dictionary("|u1", "(2, 2, 4)"), new byte[16]),
            HandMade.npy(1, HandMade.dictionary("|b1", "(16,)"), new byte[16]),
        };
        int refused = 0;
        for (int i = 0; i < FILES; i++) {
            refused += refused(mutated(good[random.nextInt(good.length)]), ".npy");
        }
        assertThat(refused).isBetween(FILES / 2, FILES);
    }

    @Test
    void safetensors() throws IOException {
        byte[][] good = {
            HandMade.safetensors(
                    """
                    {"a": {"dtype": "F16", "shape": [2, 4], "data_offsets": [0, 16]}}\
                    """,
                    new byte[16]),
            HandMade.safetensors(
                    """
                    {"__metadata__": {"k": "v"},
                     "a": {"dtype": "BOOL", "shape": [4], "data_offsets": [0, 4]},
                     "b": {"dtype": "F4", "shape": [2, 4], "data_offsets": [4, 8]}}\
                    """,
                    new byte[8]),
        };
        int refused = 0;
        for (int i = 0; i < FILES; i++) {
            refused += refused(mutated(good[random.nextInt(good.length)]), ".safetensors");
        }
        assertThat(refused).isBetween(FILES / 2, FILES);
    }

    /// 1 if the file was refused as it should be, 0 if it was read.
    private int refused(byte[] bytes, String suffix) throws IOException {
        // A new file each time: to write over an old one waits for the disk on some file systems
        Path file = HandMade.file(folder, count++ + suffix, bytes);
        TensorReference reference = new TensorReference(file, java.util.Optional.empty());
        try {
            if (random.nextBoolean()) {
                Tensor tensor = reference.read();
                assertThat(tensor.codes().bytes().length).isLessThanOrEqualTo(bytes.length);
            } else {
                reference.read(FloatFormat.F16);
            }
            return 0;
        } catch (TensorFileException e) {
            assertThat(e.getMessage()).startsWith(file + ": ").doesNotContain("\n", "\0");
            assertThat(e.getMessage().length()).isLessThan(file.toString().length() + 1000);
            return 1;
        } catch (RuntimeException e) {
            throw new AssertionError(
                    "seed %d, file %s".formatted(SEED, HexFormat.of().formatHex(bytes)), e);
        } finally {
            Files.delete(file);
        }
    }

    private byte[] mutated(byte[] good) {
        byte[] bytes = good.clone();
        for (int edits = random.nextInt(1, 4); edits > 0; edits--) {
            // Mostly in the header, where the meaning is
            int at = random.nextInt(Math.max(1, bytes.length));
            bytes =
                    switch (random.nextInt(5)) {
                        case 0 -> flipped(bytes, at);
                        case 1 -> Arrays.copyOf(bytes, at);
                        case 2 -> spliced(bytes, at, 0);
                        case 3 -> spliced(bytes, at, random.nextInt(8));
                        default -> flipped(bytes, Math.min(at, random.nextInt(12)));
                    };
        }
        return bytes;
    }

    private byte[] flipped(byte[] bytes, int at) {
        if (bytes.length > 0) {
            bytes[at] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    private byte[] spliced(byte[] bytes, int at, int removed) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, Math.min(at, bytes.length));
        out.writeBytes(TOKENS[random.nextInt(TOKENS.length)].getBytes(StandardCharsets.UTF_8));
        int rest = Math.min(bytes.length, at + removed);
        out.write(bytes, rest, bytes.length - rest);
        return out.toByteArray();
    }

    @Test
    void everyTruncationIsRefused() throws IOException {
        byte[] npy = HandMade.npy(1, HandMade.dictionary("<f2", "(2, 4)"), new byte[16]);
        byte[] safetensors =
                HandMade.safetensors(
                        "{\"a\": {\"dtype\": \"F16\", \"shape\": [8], \"data_offsets\": [0, 16]}}",
                        new byte[16]);
        for (int length = 0; length < npy.length; length++) {
            assertThat(refused(Arrays.copyOf(npy, length), ".npy")).as("%d", length).isOne();
        }
        for (int length = 0; length < safetensors.length; length++) {
            assertThat(refused(Arrays.copyOf(safetensors, length), ".safetensors"))
                    .as("%d", length)
                    .isOne();
        }
    }
}
