package dev.heddle.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.heddle.vm.launch.LaunchFile;
import dev.heddle.vm.launch.LaunchFileException;

import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/// Text that is read as a launch file.
final class LaunchFileFuzzTest {

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "20m")
    void parse(byte[] text) {
        try {
            LaunchFile.parse(new String(text, StandardCharsets.UTF_8), "launch.json");
        } catch (LaunchFileException e) {
            // One message for whoever wrote it.
        }
    }

    static Stream<byte[]> seeds() throws IOException {
        return Stream.concat(Seeds.of("examples", ".json"), Seeds.of("corpus", "launch.json"));
    }
}
