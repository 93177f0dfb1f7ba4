package dev.heddle.ptx.check;

import dev.heddle.ptx.Constant.IntegerConstant;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.check.Writes.Name;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/// Finds shared memory that is read before the `cp.async` that fills it was waited for (PTX ISA
/// 9.7.9.25.3).
///
/// Places are compared by base register or variable and byte offset, so that a pipeline reading one
/// stage while another arrives is left alone.
final class AsyncCopyAnalysis
        extends Forward<Map<AsyncCopyAnalysis.Place, AsyncCopyAnalysis.Copy>> {

    private static final int UNCOMMITTED = -1;
    private static final int MOST = 256;

    private final Reporter reporter;

    /// Shared memory by base and offset.
    record Place(Object base, long offset) {}

    /// A copy under way.
    ///
    /// @param bytes it fills
    /// @param age groups committed since, or [#UNCOMMITTED]
    /// @param position of the copy
    record Copy(long bytes, int age, SourcePosition position) {}

    AsyncCopyAnalysis(Flow flow, Reporter reporter) {
        super(flow);
        this.reporter = reporter;
    }

    void run() {
        if (flow().instructions().stream().anyMatch(AsyncCopyAnalysis::isCopy)) {
            run(Map.of());
        }
    }

    private static boolean isCopy(BoundInstruction instruction) {
        return instruction.kind() == InstructionKind.ASYNC_COPY;
    }

    @Override
    Map<Place, Copy> step(Map<Place, Copy> before, int index) {
        BoundInstruction instruction = flow().instruction(index);
        Map<Place, Copy> after = before;
        if (isCopy(instruction)) {
            Place place = place(instruction.operands().getFirst());
            if (place != null && before.size() < MOST) {
                after = new HashMap<>(before);
                after.put(place, new Copy(size(instruction), UNCOMMITTED, instruction.position()));
            }
        } else if (instruction.kind() == InstructionKind.ASYNC_COMMIT) {
            after = new HashMap<>();
            for (Map.Entry<Place, Copy> entry : before.entrySet()) {
                Copy copy = entry.getValue();
                after.put(
                        entry.getKey(),
                        new Copy(copy.bytes(), Math.min(copy.age() + 1, MOST), copy.position()));
            }
        } else if (instruction.kind() == InstructionKind.ASYNC_WAIT
                && instruction.has("wait_group")) {
            long pending = pending(instruction);
            after = new HashMap<>(before);
            after.values().removeIf(copy -> copy.age() != UNCOMMITTED && copy.age() >= pending);
        } else if (instruction.kind() == InstructionKind.ASYNC_WAIT
                || waitsAtBarrier(instruction)) {
            after = Map.of();
        }
        for (Name name : Writes.written(instruction)) {
            if (after.keySet().stream().anyMatch(place -> place.base().equals(name))) {
                after = new HashMap<>(after);
                after.keySet().removeIf(place -> place.base().equals(name));
            }
        }
        return after;
    }

    private static boolean waitsAtBarrier(BoundInstruction instruction) {
        return instruction.kind() == InstructionKind.MEMORY_BARRIER
                && (instruction.has("try_wait") || instruction.has("test_wait"));
    }

    private static long pending(BoundInstruction wait) {
        return !wait.operands().isEmpty()
                        && wait.operands().getFirst()
                                instanceof Operand.Immediate(IntegerConstant(long value, _), _)
                ? value
                : 0;
    }

    private static long size(BoundInstruction copy) {
        return copy.operands().size() > 2
                        && copy.operands().get(2)
                                instanceof Operand.Immediate(IntegerConstant(long value, _), _)
                ? value
                : 16;
    }

    private static @Nullable Place place(Operand operand) {
        if (!(operand instanceof Operand.Address(Operand base, long offset, _, _, _))) {
            return null;
        }
        return switch (base) {
            case Operand.Register register -> new Place(Name.of(register), offset);
            case Operand.Symbol symbol -> new Place(symbol.name(), offset + symbol.offset());
            default -> null;
        };
    }

    @Override
    Map<Place, Copy> meet(Map<Place, Copy> one, Map<Place, Copy> other) {
        if (one.equals(other)) {
            return one;
        }
        Map<Place, Copy> both = new HashMap<>(one);
        other.forEach(
                (place, copy) -> both.merge(place, copy, (a, b) -> a.age() <= b.age() ? a : b));
        return both;
    }

    @Override
    void inspect(Map<Place, Copy> before, int index) {
        BoundInstruction instruction = flow().instruction(index);
        boolean matrix = instruction.kind() == InstructionKind.LOAD_MATRIX;
        boolean load =
                matrix
                        || (instruction.kind() == InstructionKind.LOAD
                                && "shared".equals(instruction.match().space()));
        if (!load || before.isEmpty() || instruction.operands().size() < 2) {
            return;
        }
        Place read = place(instruction.operands().get(1));
        if (read == null) {
            return;
        }
        long bytes = matrix ? 16 : (long) instruction.type().bytes() * instruction.match().vector();
        for (Map.Entry<Place, Copy> entry : before.entrySet()) {
            Place filled = entry.getKey();
            boolean overlaps =
                    filled.base().equals(read.base())
                            && read.offset() < filled.offset() + entry.getValue().bytes()
                            && filled.offset() < read.offset() + bytes;
            if (overlaps) {
                Problem problem = Problem.of("cp-async-read-before-wait", instruction);
                reporter.report(problem.because(entry.getValue().position(), "copied here"), "");
                return;
            }
        }
    }
}
