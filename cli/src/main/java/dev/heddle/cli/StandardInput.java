package dev.heddle.cli;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Standard input where a file of tensors is expected: `-`, or `-:NAME` for one of its tensors.
///
/// Such files are read in any order and mapped, so what comes in is kept in a file of its own until
/// the command ends. Its first bytes say whether it is `.npy`, `.safetensors` or neither.
final class StandardInput implements AutoCloseable {
    private static final String WORD = "-";
    private static final String NPY = ".npy";
    private static final String SAFETENSORS = ".safetensors";
    private static final String RAW = ".bin";

    /// The most that is kept, in bytes.
    private static final long LARGEST = 64L << 30;

    private static final byte[] NPY_START = "\u0093NUMPY".getBytes(StandardCharsets.ISO_8859_1);

    private static final Pattern ARGUMENT = Pattern.compile("([^=]+=(?:\\w+:)?)(-(?::.+)?)");

    private @Nullable Path folder;
    private @Nullable Path kept;

    /// What a word names: a file, or for `-` and `-:NAME` what came from standard input.
    ///
    /// @throws UsageError if standard input was read before, or holds too much
    String file(String word) throws IOException {
        if (!word.equals(WORD) && !word.startsWith(WORD + ":")) {
            return word;
        }
        return keep() + word.substring(WORD.length());
    }

    /// As [#file], of an option that may be absent.
    @Nullable String optional(@Nullable String word) throws IOException {
        return word == null ? null : file(word);
    }

    /// Arguments of `heddle run`: of `NAME=-`, `NAME=FORMAT:-` and `NAME=-:TENSOR` the file as
    /// [#tensor], others as they are.
    List<String> arguments(List<String> texts) throws IOException {
        List<String> named = new ArrayList<>();
        for (String text : texts) {
            Matcher matcher = ARGUMENT.matcher(text);
            named.add(matcher.matches() ? matcher.group(1) + tensor(matcher.group(2)) : text);
        }
        return named;
    }

    /// As [#file], for a tensor.
    ///
    /// @throws UsageError also if standard input is neither `.npy` nor `.safetensors`
    String tensor(String word) throws IOException {
        String file = file(word);
        if (kept != null && kept.toString().endsWith(RAW)) {
            throw new UsageError(word + ": expected a .npy or .safetensors file on standard input");
        }
        return file;
    }

    private Path keep() throws IOException {
        if (kept != null) {
            throw new UsageError("-: standard input can be read only once");
        }
        folder = Files.createTempDirectory("heddle-input");
        byte[] start = System.in.readNBytes(Long.BYTES + 1);
        if (start.length == 0) {
            throw new UsageError("-: standard input is empty");
        }
        kept = folder.resolve("stdin" + kind(start));
        try (OutputStream out = Files.newOutputStream(kept)) {
            out.write(start);
            copy(System.in, out);
        }
        return kept;
    }

    private static void copy(InputStream in, OutputStream out) throws IOException {
        byte[] part = new byte[1 << 16];
        long copied = 0;
        for (int read = in.read(part); read >= 0; read = in.read(part)) {
            copied += read;
            if (copied > LARGEST) {
                throw new UsageError("-: more than " + LARGEST + " bytes");
            }
            out.write(part, 0, read);
        }
    }

    /// A `.safetensors` file begins with the length of its header, eight bytes, and a brace.
    private static String kind(byte[] start) {
        if (start.length > NPY_START.length
                && Arrays.mismatch(start, NPY_START) == NPY_START.length) {
            return NPY;
        }
        boolean header =
                start.length > Long.BYTES
                        && start[Long.BYTES] == '{'
                        && ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getLong() >>> 32
                                == 0;
        return header ? SAFETENSORS : RAW;
    }

    /// Deletes what was kept.
    @Override
    public void close() throws IOException {
        if (kept != null) {
            Files.deleteIfExists(kept);
        }
        if (folder != null) {
            Files.deleteIfExists(folder);
        }
    }
}
