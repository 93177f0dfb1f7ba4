package dev.heddle.conformance.scalars;

import dev.heddle.cuda.Arguments;
import dev.heddle.cuda.Context;
import dev.heddle.cuda.CudaModule;
import dev.heddle.cuda.DeviceMemory;
import dev.heddle.cuda.DriverException;
import dev.heddle.cuda.LaunchShape;
import dev.heddle.cuda.Optimization;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;

/// What runs a form on operands.
interface ScalarMachine {

    /// The words of all destinations, those of one destination together.
    ///
    /// @throws Missing where the machine does not have the instruction
    long[] run(ScalarForm form, long[] operands, int cases) throws Missing;

    /// An instruction that a machine does not have.
    final class Missing extends Exception {
        private static final long serialVersionUID = 1;

        Missing(String message) {
            super(message);
        }
    }

    /// An executor of the virtual machine.
    static ScalarMachine of(Machine machine) {
        return (form, operands, cases) -> {
            Outcome outcome =
                    machine.run(
                            Kernel.of(ScalarModule.text(List.of(form), cases), "scalar.ptx", "f0"),
                            Launch.grid(cases / ScalarModule.BLOCK)
                                    .block(ScalarModule.BLOCK)
                                    .passing(
                                            Argument.of("in", operands),
                                            Argument.zeros(
                                                    "out",
                                                    form.destinations().length()
                                                            * cases
                                                            * Long.BYTES))
                                    .withChecks(Set.of())
                                    .withThreads(1));
            if (!outcome.isClean()) {
                throw new Missing(outcome.findings().getFirst().message());
            }
            return form.settled(outcome.longs("out"));
        };
    }

    /// A GPU, which compiles each form as a module of its own.
    static ScalarMachine of(Context gpu, Optimization optimization) {
        return (form, operands, cases) -> {
            byte[] in = new byte[operands.length * Long.BYTES];
            ByteBuffer.wrap(in).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(operands);
            int words = form.destinations().length() * cases;
            try (CudaModule module =
                            gpu.load(ScalarModule.text(List.of(form), cases), optimization);
                    DeviceMemory source = gpu.allocate(in);
                    DeviceMemory target = gpu.allocate((long) words * Long.BYTES)) {
                module.function("f0")
                        .launch(
                                LaunchShape.linear(cases / ScalarModule.BLOCK, ScalarModule.BLOCK),
                                Arguments.builder().address(source).address(target).build());
                gpu.synchronize();
                long[] results = new long[words];
                ByteBuffer.wrap(target.toByteArray())
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asLongBuffer()
                        .get(results);
                return form.settled(results);
            } catch (DriverException e) {
                throw new Missing(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            }
        };
    }
}
