package dev.heddle.sparse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/// Damaged files of compressed matrices: labels, headers, elements and metadata.
///
/// `-Dheddle.mutations=1000000` runs the campaign.
@DisplayName("A damaged file is converted, or refused with one message and nothing written")
final class MutatedMatricesTest {
    private static final long SEED = Long.getLong("heddle.seed", 20261122);
    private static final int FILES = Integer.getInteger("heddle.mutations", 4000);
    private static final List<String> TOKENS =
            List.of(
                    "-1",
                    "0",
                    "999999999",
                    "2147483648",
                    "99999999999",
                    "heddle:",
                    "cutlass-sm80",
                    "cusparselt",
                    "dense",
                    "s4",
                    "f64",
                    "x",
                    " of ",
                    "t\nsor",
                    "\"",
                    "{",
                    "[]",
                    "\n",
                    "\0");

    @TempDir Path folder;

    @Test
    void everyDamagedFileIsReadOrRefused() throws IOException {
        Random random = new Random(SEED);
        List<byte[]> good = good();
        int refused = 0;
        for (int i = 0; i < FILES; i++) {
            byte[] bytes = mutated(good.get(random.nextInt(good.size())), random);
            Path in = folder.resolve("in.safetensors");
            Path out = folder.resolve("out.safetensors");
            Files.write(in, bytes);
            Files.deleteIfExists(out);
            if (!converted(in, out)) {
                refused++;
                assertThat(out).doesNotExist();
            }
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .allMatch(name -> name.matches("(in|out|good\\d+)\\.safetensors"));
        }
        assertThat(refused).isBetween(FILES / 4, FILES);
    }

    private static boolean converted(Path in, Path out) {
        try (MatrixSource source = MatrixSource.open(in, MatrixSource.Hints.NONE)) {
            new FileConversion(
                            StorageFormats.named("dense"),
                            _ -> true,
                            Pruning.REFUSE,
                            FileConversion.Ragged.REFUSE,
                            _ -> {})
                    .write(source, out);
            return true;
        } catch (IOException | InputException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
            return false;
        }
    }

    private List<byte[]> good() throws IOException {
        record Kind(String format, Format element, int rows, int columns) {}
        List<Kind> kinds =
                List.of(
                        new Kind("cutlass-sm80", FloatFormat.F16, 32, 64),
                        new Kind("cusparselt", FloatFormat.E4M3, 32, 64),
                        new Kind("bitmask", IntegerFormat.S8, 3, 24),
                        new Kind("indices", IntegerFormat.S4, 2, 16),
                        new Kind("cutlass-sm90-k64", FloatFormat.TF32, 5, 30));
        List<byte[]> good = new ArrayList<>();
        for (Kind kind : kinds) {
            MatrixType type = new MatrixType(kind.rows(), kind.columns(), kind.element());
            StorageFormat format = StorageFormats.named(kind.format());
            StoredMatrix dense =
                    RoundTripTest.conforming(
                            type, format.arrangement(kind.element()), new Random(good.size()));
            Path raw = folder.resolve("raw.bin");
            Files.write(raw, dense.values().toArray(ValueLayout.JAVA_BYTE));
            Path file = folder.resolve("good" + good.size() + ".safetensors");
            MatrixSource.Hints hints =
                    new MatrixSource.Hints(
                            Optional.empty(),
                            Optional.of(kind.element()),
                            Optional.of(new MatrixSource.Size(kind.rows(), kind.columns())));
            try (MatrixSource source = MatrixSource.open(raw, hints)) {
                new FileConversion(
                                format,
                                _ -> true,
                                Pruning.REFUSE,
                                FileConversion.Ragged.REFUSE,
                                _ -> {})
                        .write(source, file);
            }
            Files.delete(raw);
            good.add(Files.readAllBytes(file));
        }
        return good;
    }

    private static byte[] mutated(byte[] good, Random random) {
        byte[] bytes = good.clone();
        int header = 8 + MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
        for (int change = 0; change <= random.nextInt(3); change++) {
            int within = random.nextInt(3) > 0 ? header : bytes.length;
            int at = random.nextInt(Math.min(within, bytes.length));
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> {
                    byte[] token =
                            TOKENS.get(random.nextInt(TOKENS.size()))
                                    .getBytes(StandardCharsets.US_ASCII);
                    System.arraycopy(
                            token, 0, bytes, at, Math.min(token.length, bytes.length - at));
                }
                default -> bytes = Arrays.copyOf(bytes, Math.max(8, at));
            }
        }
        return bytes;
    }
}
