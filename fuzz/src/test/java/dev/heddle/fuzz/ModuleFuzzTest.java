package dev.heddle.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.heddle.ptx.check.Check;

import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/// Text that is read and checked as a PTX module.
final class ModuleFuzzTest {

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "20m")
    void check(byte[] text) {
        Check.text(new String(text, StandardCharsets.UTF_8), "fuzz.ptx").findings();
    }

    static Stream<byte[]> seeds() throws IOException {
        return Seeds.of("examples", ".ptx");
    }
}
