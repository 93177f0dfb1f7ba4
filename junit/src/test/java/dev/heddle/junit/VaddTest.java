package dev.heddle.junit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.MachineKind;
import dev.heddle.vm.Outcome;

import java.io.IOException;
import java.nio.file.Path;

final class VaddTest {
    @KernelTest({MachineKind.INTERPRETER, MachineKind.COMPILER, MachineKind.GPU})
    void adds(KernelRunner on) throws IOException {
        Kernel vadd = Kernel.read(Path.of("src/test/kernels/vadd.ptx"));
        Outcome outcome =
                on.run(
                        vadd,
                        Launch.grid(2)
                                .block(2)
                                .passing(
                                        Argument.of("a", new float[] {1, 2, 3}),
                                        Argument.of("b", new float[] {10, 20, 30}),
                                        Argument.poison("c", 3 * Float.BYTES),
                                        Argument.s32(3)));
        assertArrayEquals(new float[] {11, 22, 33}, outcome.floats("c"));
    }
}
