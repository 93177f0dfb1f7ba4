package dev.heddle.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

@DisplayName("The Java code that docs/run.md shows")
final class JavaApiTest {
    private static final Path GUIDE = Path.of("..", "docs", "run.md");

    @Test
    void runsAKernel() throws IOException {
        // begin java-api
        Kernel kernel = Kernel.read(Path.of("src/test/kernels/vadd.ptx"));
        Launch launch =
                Launch.grid(2)
                        .block(2)
                        .passing(
                                Argument.of("a", new float[] {1, 2, 3}),
                                Argument.of("b", new float[] {10, 20, 30}),
                                Argument.poison("c", 3 * Float.BYTES),
                                Argument.s32(3));
        Outcome outcome = Machine.compiler().run(kernel, launch);
        float[] c = outcome.floats("c"); // 11, 22, 33
        // end java-api
        assertThat(outcome.findings()).isEmpty();
        assertThat(c).containsExactly(11, 22, 33);
    }

    @Test
    void standsInTheGuideAsItIsHere() throws IOException {
        String guide = Files.readString(GUIDE);
        String here = Files.readString(source("JavaApiTest.java"));
        String api =
                here.substring(
                                here.indexOf("        // begin java-api\n"),
                                here.indexOf("        // end java-api\n"))
                        .replace("        // begin java-api\n", "")
                        .stripTrailing()
                        .stripIndent();
        assertThat(guide).contains(api);
        String extension = Files.readString(source("VaddTest.java"));
        assertThat(guide).contains(extension.substring(extension.indexOf("final class VaddTest")));
    }

    private static Path source(String name) {
        return Path.of("src", "test", "java", "dev", "heddle", "junit", name);
    }
}
