package dev.heddle.cuda;

import dev.heddle.cuda.MatrixInstruction.Immediates;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Runs one tensor-core instruction on the GPU, many cases a launch.
///
/// ```java
/// try (InstructionRunner runner =
///         new InstructionRunner(context, instruction, 0, List.of(Immediates.PLAIN))) {
///     int[] d = runner.run(Immediates.PLAIN, List.of(input), 0).getFirst();
/// }
/// ```
public final class InstructionRunner implements AutoCloseable {
    private final Context context;
    private final CaseImage image;
    private final InstructionKernel kernel;
    private final List<Immediates> variants;
    private final CudaModule module;

    /// Compiles a kernel for each combination of immediate operands.
    ///
    /// @param sharedWords words of shared memory the largest case needs; 0 for `mma`
    /// @throws CudaException if the device or its driver does not have the instruction
    public InstructionRunner(
            Context context,
            MatrixInstruction instruction,
            int sharedWords,
            List<Immediates> variants) {
        this.context = context;
        this.image = new CaseImage(instruction, sharedWords);
        this.kernel = new InstructionKernel(image, PtxTarget.of(context.device()));
        this.variants = List.copyOf(variants);
        this.module = context.load(kernel.ptx(variants));
    }

    /// The PTX that [InstructionRunner] would load.
    public static String ptx(
            MatrixInstruction instruction,
            int sharedWords,
            List<Immediates> variants,
            PtxTarget target) {
        return new InstructionKernel(new CaseImage(instruction, sharedWords), target).ptx(variants);
    }

    /// Runs the cases and returns the words of D of each, lane after lane.
    ///
    /// @param immediates one of the combinations that were compiled
    /// @param poison what the memory of D holds before: shows words that were never written
    /// @throws IllegalArgumentException if a case does not have the words the instruction reads
    /// @throws CudaException `CUDA_ERROR_ILLEGAL_INSTRUCTION` where the chip refuses to run it
    public List<int[]> run(Immediates immediates, List<CaseInput> cases, int poison) {
        int variant = variants.indexOf(immediates);
        if (variant < 0) {
            throw new IllegalArgumentException(immediates + ": compiled were " + variants);
        }
        try (Arena arena = Arena.ofConfined();
                DeviceMemory input = context.allocate(inputBytes(cases));
                DeviceMemory output = context.allocate(outputBytes(cases))) {
            MemorySegment host = arena.allocate(inputBytes(cases), Integer.BYTES);
            for (int i = 0; i < cases.size(); i++) {
                fill(host, i, cases.get(i));
            }
            input.copyFrom(host);
            output.fillWords(poison);
            CudaFunction function = module.function(InstructionKernel.entry(variant));
            function.launch(
                    LaunchShape.linear(cases.size(), image.instruction().lanes())
                            .withShared(kernel.sharedBytes()),
                    Arguments.builder().address(input).address(output).build());
            context.synchronize();
            return results(output, cases.size());
        }
    }

    private long inputBytes(List<CaseInput> cases) {
        return (long) cases.size() * image.words() * Integer.BYTES;
    }

    private long outputBytes(List<CaseInput> cases) {
        return (long) cases.size() * image.outputWords() * Integer.BYTES;
    }

    private void fill(MemorySegment host, int index, CaseInput input) {
        MatrixInstruction instruction = image.instruction();
        int lanes = instruction.lanes();
        requireWords("A", input.a(), lanes * instruction.words().a());
        requireWords("B", input.b(), lanes * instruction.words().b());
        requireWords("C", input.c(), lanes * instruction.words().c());
        requireWords("the metadata", input.e(), lanes * instruction.metadataWords());
        CaseInput.Shared shared = input.shared();
        if (shared.image().length > image.sharedWords()) {
            throw new IllegalArgumentException(
                    "shared memory of %d words: the kernel was compiled for at most %d"
                            .formatted(shared.image().length, image.sharedWords()));
        }
        image.put(host, index, image.a(), input.a());
        image.put(host, index, image.b(), input.b());
        image.put(host, index, image.c(), input.c());
        image.put(host, index, image.e(), input.e());
        image.put(host, index, image.scaleD(), new int[] {shared.scaleD() ? 1 : 0});
        image.put(host, index, image.descriptorA(), halves(shared.descriptorA()));
        image.put(host, index, image.descriptorB(), halves(shared.descriptorB()));
        image.put(host, index, image.shared(), shared.image());
    }

    private void requireWords(String operand, int[] words, int expected) {
        if (words.length != expected) {
            throw new IllegalArgumentException(
                    "%s: %d words of %s for %d lanes, found %d"
                            .formatted(
                                    image.instruction().opcode(),
                                    expected,
                                    operand,
                                    image.instruction().lanes(),
                                    words.length));
        }
    }

    private static int[] halves(long value) {
        return new int[] {(int) value, (int) (value >>> Integer.SIZE)};
    }

    private List<int[]> results(DeviceMemory output, int cases) {
        int[] all = new int[cases * image.outputWords()];
        output.copyTo(MemorySegment.ofArray(all));
        List<int[]> results = new ArrayList<>(cases);
        for (int i = 0; i < cases; i++) {
            int[] d = new int[image.outputWords()];
            System.arraycopy(all, i * d.length, d, 0, d.length);
            results.add(d);
        }
        return results;
    }

    @Override
    public void close() {
        module.close();
    }
}
