package dev.heddle.cli;

import dev.heddle.cuda.DriverException;
import dev.heddle.cuda.DriverUnavailableException;
import dev.heddle.cuda.Gpu;
import dev.heddle.cuda.LaunchShape;
import dev.heddle.formats.Codes;
import dev.heddle.formats.Format;
import dev.heddle.formats.Tensor;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.check.InvalidModule;
import dev.heddle.tensorcore.functions.ApproximateFunction;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// A scalar instruction on arrays, element by element, on the virtual machine or the GPU.
///
/// @param instruction what is executed
/// @param arrays its operands
/// @param target of the module, `sm_90a`
record ScalarExecution(ScalarInstruction instruction, ScalarArrays arrays, String target) {
    private static final int BLOCK = 256;

    /// The newest PTX that the assembler of CUDA 13.0 takes, and its driver with it.
    private static final String VERSION = "9.0";

    /// The section of what assemblers make out of other instructions.
    private static final String VIDEO = "9.7.18.";

    /// A result and who computed it.
    ///
    /// @param where the machine
    /// @param evidence why it should be believed
    /// @param words the result's elements, pairs of halves as one
    record Computed(String where, String evidence, Codes words) {}

    private Computed computed(String where, String evidence, byte[] bytes) {
        Format format = ScalarArrays.format(instruction.destination().type());
        return new Computed(where, evidence, Codes.wrap(format, arrays.count(), bytes));
    }

    /// @param where `gpu`, `interpreter`, `compiler`, or a generation
    Computed on(String where) {
        return switch (where) {
            case "gpu" -> onGpu();
            case "interpreter" -> onCpu(Machine.interpreter(generation(target)), where, target);
            case "compiler" -> onCpu(Machine.compiler(generation(target)), where, target);
            default -> onCpu(Machine.compiler(generation(where)), "compiler", where);
        };
    }

    private static Generation generation(String target) {
        return Generation.of(target.replaceFirst("[af]$", ""));
    }

    private String kernel(String of) {
        return instruction.kernel(VERSION, of, arrays.scalars());
    }

    private byte[] result() {
        return new byte[Math.multiplyExact(arrays.count(), bytes(instruction.destination()))];
    }

    private static int bytes(ScalarInstruction.Place place) {
        return place.type() == ScalarType.PRED ? 1 : place.type().bytes();
    }

    private int blocks() {
        return (arrays.count() + BLOCK - 1) / BLOCK;
    }

    private Computed onCpu(Machine machine, String where, String of) {
        List<Argument> arguments = new ArrayList<>();
        arrays.sources()
                .forEach(
                        (name, tensor) -> arguments.add(Argument.of(name, tensor.codes().bytes())));
        arguments.add(Argument.of("d", result()));
        arguments.add(Argument.s64(arrays.count()));
        Outcome outcome;
        try {
            outcome =
                    machine.run(
                            Kernel.of(kernel(of), instruction.mnemonic(), "scalar"),
                            Launch.grid(blocks()).block(BLOCK).withArguments(arguments));
        } catch (InvalidModule e) {
            String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new UsageError(message.replaceFirst("^\\S+:[0-9]+:[0-9]+: ", ""));
        }
        if (!outcome.isClean()) {
            throw new UsageError(outcome.findings().getFirst().message());
        }
        return computed(
                "%s, %s".formatted(where, generation(of)),
                evidence(generation(of)),
                outcome.buffer("d"));
    }

    private String evidence(Generation generation) {
        if (instruction.match().form().section().startsWith(VIDEO)) {
            return "as assemblers make it, which an H100 was compared with";
        }
        return ApproximateFunction.of(instruction.mnemonic())
                .map(function -> function.evidence(generation).getFirst().toString())
                .orElse("exact, as PTX ISA " + instruction.match().form().section() + " says");
    }

    private Computed onGpu() {
        byte[] result = result();
        List<Gpu.Argument> arguments = new ArrayList<>();
        arrays.sources()
                .forEach(
                        (name, tensor) ->
                                arguments.add(
                                        new Gpu.Argument.Buffer(tensor.codes().bytes().clone())));
        arguments.add(new Gpu.Argument.Buffer(result));
        byte[] count = new byte[Long.BYTES];
        ByteBuffer.wrap(count).order(ByteOrder.LITTLE_ENDIAN).putLong(arrays.count());
        arguments.add(new Gpu.Argument.Value(count));
        try (Gpu gpu = Gpu.open()) {
            gpu.launch(kernel(target), "scalar", LaunchShape.linear(blocks(), BLOCK), arguments);
            return computed(gpu.description(), "executed on it", result);
        } catch (DriverUnavailableException | DriverException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
    }

    /// The result of one machine as a tensor.
    Tensor tensor(Computed computed) {
        return arrays.result(instruction.destination().type(), computed.words().bytes());
    }

    /// The errors of all elements of a result, of pairs of all halves, in order.
    double[] ulps(ExactScalar exact, Computed computed) {
        int perWord = ScalarArrays.half(instruction.destination().type()) == null ? 1 : 2;
        double[] errors = new double[arrays.count() * perWord];
        Tensor result =
                new ScalarArrays(arrays.sources(), wide(), perWord == 2)
                        .result(instruction.destination().type(), computed.words().bytes());
        for (int i = 0; i < errors.length; i++) {
            errors[i] =
                    exact.ulps(
                            operands(exact, i, perWord), exact.format().toDouble(result.bits(i)));
        }
        return errors;
    }

    private List<Integer> wide() {
        return List.of(arrays.count());
    }

    /// The values of the operands of one element.
    double[] operands(ExactScalar exact, int index, int perWord) {
        List<ScalarInstruction.Place> sources = instruction.sources();
        double[] values = new double[sources.size()];
        for (int i = 0; i < values.length; i++) {
            ScalarInstruction.Place place = sources.get(i);
            long code = arrays.code(place.name(), index / perWord);
            Format half = ScalarArrays.half(place.type());
            if (half != null) {
                code = code >>> 16 * (index % perWord) & 0xffff;
            }
            values[i] =
                    exact.operand(half == null ? ScalarArrays.format(place.type()) : half, code);
        }
        return values;
    }
}
