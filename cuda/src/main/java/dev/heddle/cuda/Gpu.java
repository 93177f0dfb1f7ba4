package dev.heddle.cuda;

import dev.heddle.cuda.MatrixInstruction.Immediates;
import dev.heddle.formats.InputException;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.Operands;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A GPU for those who want results and no handles: runs one tensor-core instruction on
/// registers, or a kernel on buffers.
public final class Gpu implements AutoCloseable {
    private final Context context;

    private Gpu(Context context) {
        this.context = context;
    }

    /// A facade of a context, closed with it.
    static Gpu of(Context context) {
        return new Gpu(context);
    }

    /// Opens the first GPU of this machine (0.3 to 0.5 s).
    ///
    /// @throws DriverUnavailableException if there is no driver
    /// @throws CudaException if the driver finds no GPU
    public static Gpu open() {
        return of(Driver.load().device(0).open());
    }

    /// The context everything runs in.
    public Context context() {
        return context;
    }

    /// The target that PTX names it by: `sm_90`.
    public String architecture() {
        return context.device().architecture();
    }

    /// Name, architecture and CUDA version: `NVIDIA H200 (sm_90), CUDA 13.0`.
    public String description() {
        Device device = context.device();
        return "%s (%s), CUDA %s"
                .formatted(device.name(), device.architecture(), device.driver().version());
    }

    /// Runs one instruction once.
    ///
    /// @return the words of D, lane after lane
    /// @throws InputException if the operands do not have the form's number of words
    /// @throws CudaException if this GPU does not have the instruction
    public int[] execute(Form form, Immediates immediates, CaseInput input) {
        try (InstructionRunner runner =
                new InstructionRunner(
                        context,
                        MatrixInstruction.of(form),
                        input.shared().image().length,
                        List.of(immediates))) {
            return runner.run(immediates, List.of(input), 0).getFirst();
        }
    }

    /// Runs one instruction once, on what a [dev.heddle.tensorcore.TensorCore] takes. Operands of
    /// `wgmma` in shared memory are K innermost, unswizzled.
    ///
    /// @return the words of D, lane after lane
    /// @throws InputException if operands are too short, or lay transposed in shared
    ///     memory
    /// @throws CudaException if this GPU does not have the instruction
    public int[] execute(Form form, Operands operands) {
        MatrixInstruction instruction = MatrixInstruction.of(form);
        MatrixInstruction.Words words = instruction.words();
        int lanes = instruction.lanes();
        CaseInput input =
                new CaseInput(
                        Arrays.copyOf(operands.a(), lanes * words.a()),
                        Arrays.copyOf(operands.b(), lanes * words.b()),
                        Arrays.copyOf(operands.c(), lanes * words.c()),
                        Arrays.copyOf(operands.metadata(), lanes * instruction.metadataWords()),
                        instruction.warpgroup()
                                ? shared(form, instruction, operands)
                                : CaseInput.Shared.NONE);
        return execute(
                form,
                new Immediates(
                        operands.selector(),
                        operands.immediates().negateA() ? -1 : 1,
                        operands.immediates().negateB() ? -1 : 1,
                        false,
                        false),
                input);
    }

    private static CaseInput.Shared shared(
            Form form, MatrixInstruction instruction, Operands operands) {
        if (!operands.majors().equals(Operands.Majors.K)) {
            throw new InputException(
                    form + ": on a GPU, operands in shared memory have K innermost");
        }
        SharedMatrices.Placed a =
                instruction.aInShared()
                        ? placed(form, Role.A, operands.a(), form.shape().m(), form.storedColumns())
                        : null;
        return new SharedMatrices(
                        a, placed(form, Role.B, operands.b(), form.shape().n(), form.shape().k()))
                .image(operands.immediates().accumulate());
    }

    private static SharedMatrices.Placed placed(
            Form form, Role role, int[] words, int rows, int columns) {
        int count = rows * columns * form.type(role).bits() / Integer.SIZE;
        ByteBuffer bytes =
                ByteBuffer.allocate(count * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(words, 0, count);
        return new SharedMatrices.Placed(SharedLayout.K_MAJOR_ALONG_K, bytes.array(), rows);
    }

    /// A kernel's argument.
    public sealed interface Argument {
        /// A pointer to device memory that holds `content` before the launch; what the memory
        /// holds after it comes back into the same array.
        @SuppressWarnings("ArrayRecordComponent") // carries words and bytes, is never compared
        record Buffer(byte[] content) implements Argument {}

        /// A value of any width, by its little-endian bytes.
        @SuppressWarnings("ArrayRecordComponent") // carries words and bytes, is never compared
        record Value(byte[] content) implements Argument {}
    }

    /// Compiles PTX, launches one of its kernels, waits, and brings the buffers back.
    ///
    /// @throws CudaException if it does not compile, is refused, or fails while it runs; after
    ///     the last, this GPU cannot be used any more in this process
    public void launch(String ptx, String entry, LaunchShape shape, List<Argument> arguments) {
        launch(ptx, entry, shape, arguments, Optimization.FULL);
    }

    /// The same, with the PTX assembled in this way.
    public void launch(
            String ptx,
            String entry,
            LaunchShape shape,
            List<Argument> arguments,
            Optimization optimization) {
        try (CudaModule module = context.load(ptx, optimization);
                Buffers buffers = new Buffers(new ArrayList<>())) {
            Arguments.Builder values = Arguments.builder();
            for (Argument argument : arguments) {
                switch (argument) {
                    case Argument.Buffer(byte[] content) ->
                            values.address(buffers.add(content, context));
                    case Argument.Value(byte[] content) ->
                            values.bytes(MemorySegment.ofArray(content));
                }
            }
            CudaFunction function = module.function(entry);
            if (shape.sharedBytes() > 0) {
                function.allowDynamicShared(shape.sharedBytes());
            }
            function.launch(shape, values.build());
            context.synchronize();
            buffers.bringBack();
        }
    }

    /// The buffers of one launch: what is on the host and where it is on the device.
    private record Buffers(List<Mirror> mirrors) implements AutoCloseable {
        @SuppressWarnings("ArrayRecordComponent") // carries words and bytes, is never compared
        record Mirror(byte[] host, DeviceMemory device) {}

        DeviceMemory add(byte[] content, Context context) {
            DeviceMemory memory = context.allocate(content);
            mirrors.add(new Mirror(content, memory));
            return memory;
        }

        void bringBack() {
            mirrors.forEach(mirror -> mirror.device().copyTo(MemorySegment.ofArray(mirror.host())));
        }

        @Override
        public void close() {
            mirrors.forEach(mirror -> mirror.device().close());
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
