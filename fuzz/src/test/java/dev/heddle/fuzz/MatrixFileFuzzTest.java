package dev.heddle.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.heddle.files.Npy;
import dev.heddle.files.Safetensors;
import dev.heddle.files.TensorFileException;

import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Bytes that are read as an `.npy` or a `.safetensors` file.
final class MatrixFileFuzzTest {

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "20m")
    void read(byte[] bytes) throws IOException {
        Path file = Files.write(Path.of("target", "matrix"), bytes);
        try {
            Npy.read(file);
        } catch (TensorFileException e) {
            // Refused with one message.
        }
        try {
            Safetensors tensors = Safetensors.open(file);
            for (String name : tensors.names()) {
                tensors.read(name);
            }
        } catch (TensorFileException e) {
            // Refused with one message.
        }
    }

    static Stream<byte[]> seeds() throws IOException {
        String header = "{\"w\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data_offsets\":[0,8]}}";
        byte[] tensors = new byte[8 + header.length() + 8];
        tensors[0] = (byte) header.length();
        System.arraycopy(
                header.getBytes(StandardCharsets.US_ASCII), 0, tensors, 8, header.length());
        return Stream.concat(Seeds.of("examples", ".npy"), Stream.of(tensors));
    }
}
