package dev.heddle.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

@DisplayName("Launch files as tests")
final class LaunchTestsTest {
    private static final Path KERNELS = Path.of("src", "test", "kernels");

    /// The examples, except for the large products.
    @TestFactory
    Stream<DynamicTest> examples() throws IOException {
        return LaunchTests.in(Path.of("..", "examples"))
                .only(file -> file.endsWith("launch.json") && !file.toString().contains("broken"))
                .tests();
    }

    @TestFactory
    Stream<DynamicTest> onTheInterpreter() throws IOException {
        return LaunchTests.in(KERNELS).on(Machine.interpreter()).tests();
    }

    @Test
    void anUnexpectedElementFailsTheTestAndIsNamed(@TempDir Path folder) throws Throwable {
        Files.copy(KERNELS.resolve("vadd.ptx"), folder.resolve("vadd.ptx"));
        Files.writeString(
                folder.resolve("launch.json"),
                """
                { "grid": [1], "block": [32],
                  "args": [ {"buffer": "a", "zeros": 8, "format": "f32"},
                            {"buffer": "b", "file": "one.npy"},
                            {"buffer": "c", "poison": 8, "format": "f32"}, {"s32": 2} ],
                  "expect": [ {"buffer": "c", "file": "two.npy"} ] }
                """);
        npy(folder.resolve("one.npy"), 1, 1);
        npy(folder.resolve("two.npy"), 1, 2);
        List<DynamicTest> tests = LaunchTests.in(folder).tests().toList();
        assertThat(tests).hasSize(1);
        assertThatThrownBy(() -> tests.getFirst().getExecutable().execute())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("2 elements, 1 with equal bits, 1 wrong")
                .hasMessageContaining("[1]: got 0x3f800000 (1), expected 0x40000000 (2)");
    }

    /// A file as NumPy writes it, by hand.
    private static void npy(Path file, float... values) throws IOException {
        String header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
        byte[] bytes = new byte[128 + 8];
        byte[] magic = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
        System.arraycopy(magic, 0, bytes, 0, magic.length);
        byte[] text =
                (header + " ".repeat(117 - header.length()) + "\n")
                        .getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, bytes, 10, text.length);
        for (int i = 0; i < 2; i++) {
            int bits = Float.floatToRawIntBits(values[i]);
            for (int j = 0; j < 4; j++) {
                bytes[128 + 4 * i + j] = (byte) (bits >>> 8 * j);
            }
        }
        Files.write(file, bytes);
    }

    @Test
    void aFolderWithoutLaunchFilesIsNoTest(@TempDir Path folder) {
        assertThatThrownBy(() -> LaunchTests.in(folder).tests())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no launch files");
    }

    @KernelTest
    void aFindingFailsATestUnlessItIsWanted(KernelRunner on) throws IOException {
        Kernel vadd = Kernel.read(KERNELS.resolve("vadd.ptx"));
        Launch tooLong =
                Launch.grid(1)
                        .block(4)
                        .passing(
                                Argument.of("a", new float[3]),
                                Argument.of("b", new float[4]),
                                Argument.poison("c", 16),
                                Argument.s32(4));
        assertThat(on.finding(vadd, tooLong).verdict()).isEqualTo(Verdict.UNDEFINED_BEHAVIOR);
        assertThatThrownBy(() -> on.run(vadd, tooLong))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("undefined behavior")
                .hasMessageContaining("ld.global");
    }
}
