package example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.heddle.junit.KernelRunner;
import dev.heddle.junit.KernelTest;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Outcome;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

final class BlockSumTest {
    private final float[] ones = new float[256];

    @KernelTest
    void addsAllElements(KernelRunner on) throws IOException {
        Arrays.fill(ones, 1);
        String file = System.getProperty("kernel", "block-sum.ptx");
        Kernel kernel = Kernel.read(Path.of("src/test/kernels", file));
        Argument sum = Argument.poison("sum", Float.BYTES);
        Launch launch = Launch.grid(1).block(256).passing(Argument.of("x", ones), sum);
        Outcome outcome = on.run(kernel, launch);
        assertArrayEquals(new float[] {256}, outcome.floats("sum"));
    }
}
