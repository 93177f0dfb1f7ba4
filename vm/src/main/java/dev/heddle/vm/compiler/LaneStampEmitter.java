package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.EQUAL;
import static dev.heddle.tensorcore.x86.Assembler.GREATER;
import static dev.heddle.tensorcore.x86.Assembler.LESS;
import static dev.heddle.vm.compiler.WarpValues.CONTEXT;
import static dev.heddle.vm.compiler.WarpValues.context;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Width;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Looks in machine code whether an access to global memory is in order at first sight, whose lanes
/// go anywhere; and stamps what they access.
///
/// All must be inside the buffer that the instruction met last, aligned, and written if it is
/// read. What is not in order at first sight leads to Java, which looks at all lanes: it stamps
/// again, the same way, what is stamped already.
final class LaneStampEmitter {
    private static final int CHECK = 5;
    private static final int SPARE = 6;
    private static final int LANES = 7;

    private static final int RECORD = Assembler.R13;

    private final WarpValues values;
    private final Assembler code;
    private final List<LaneStamps.Access> accesses = new ArrayList<>();
    private final Routines<LaneStampRoutine.Kind> routines;

    /// @param later takes code that is to stand behind everything else
    LaneStampEmitter(WarpValues values, Consumer<Runnable> later) {
        this.values = values;
        code = values.code;
        routines =
                new Routines<>(
                        later, (kind, start) -> new LaneStampRoutine(code, kind).emit(start));
    }

    /// The accesses, by their numbers.
    List<LaneStamps.Access> accesses() {
        return accesses;
    }

    /// Looks at a load or store of some lanes.
    ///
    /// @param lanes the general register with those that take part; it is not kept
    /// @param java where to go if it is not in order at first sight
    void look(MemoryEmitter.Plain plain, int lanes, Label java) {
        long more = plain.offset() - Addresses.GLOBAL;
        for (int chunk = 0; chunk < WarpValues.chunks(Width.LONG); chunk++) {
            int at = WarpValues.FOURTH;
            int address = values.load(plain.base(), chunk, at);
            code.vector(Evex.VPADDQ, at, address, code.longword(more));
            code.vector(Evex.VPADDQ, at, at, Operand.all(CONTEXT, WarpContext.GLOBAL));
            code.vector(Evex.VMOVDQU64_STORE, at, 0, origins(chunk));
        }
        look(LaneStamps.Access.of(plain), lanes, java);
    }

    /// The addresses of eight lanes, as the host has them.
    private static Operand origins(int chunk) {
        return context(AsyncCopyEmitter.ORIGINS + 64 * chunk);
    }

    /// The same for an access whose addresses stand in the context.
    void look(LaneStamps.Access access, int lanes, Label java) {
        if (!accesses.contains(access)) {
            accesses.add(access);
        }
        code.move(LaneStampRoutine.LEFT, Operand.register(lanes));
        code.maskFrom(LANES, LaneStampRoutine.LEFT);
        code.moveLong(RECORD, context(WarpContext.LANE_STAMPS));
        code.testLong(RECORD, RECORD);
        code.jump(Condition.EQUAL, java);
        int number = accesses.indexOf(access);
        code.arithmeticLong(Arithmetic.ADD, RECORD, number * LaneStamps.ACCESS_BYTES);
        for (int chunk = 0; chunk < WarpValues.chunks(Width.LONG); chunk++) {
            requireInside(access, chunk, java);
        }
        join(access.bytes());
        code.moveLong(LaneStampRoutine.STAMP, Operand.at(RECORD, LaneStamps.STAMP));
        code.arithmeticLong(Arithmetic.OR, LaneStampRoutine.STAMP, context(WarpContext.GLOBAL_NOW));
        code.call(routines.of(LaneStampRoutine.Kind.of(access)));
        code.test(Assembler.RAX, Assembler.RAX);
        code.jump(Condition.NOT_EQUAL, java);
    }

    private void requireInside(LaneStamps.Access access, int chunk, Label java) {
        int at = WarpValues.FOURTH;
        code.vector(Evex.VMOVDQU64, at, 0, origins(chunk));
        code.maskShiftRight(SPARE, LANES, 8 * chunk);
        Operand from = Operand.all(RECORD, LaneStamps.BUFFER_FROM);
        code.vector(Evex.VPCMPUQ, CHECK, at, from, SPARE, false, LESS);
        code.jumpIf(Bits.ANY, CHECK, java);
        Operand last = Operand.all(RECORD, LaneStamps.BUFFER_LAST);
        code.vector(Evex.VPCMPUQ, CHECK, at, last, SPARE, false, GREATER);
        code.jumpIf(Bits.ANY, CHECK, java);
        Operand unaligned = code.longword(access.bytes() - 1);
        code.vectorWhere(Evex.VPTESTMQ, SPARE, CHECK, at, unaligned);
        code.jumpIf(Bits.ANY, CHECK, java);
    }

    /// Finds the lanes behind which the next one goes on, both of which take part.
    private void join(int bytes) {
        int joined = LaneStampRoutine.JOINED;
        int next = Assembler.R14;
        code.moveConstant(joined, 0);
        for (int chunk = WarpValues.chunks(Width.LONG) - 1; chunk >= 0; chunk--) {
            int at = WarpValues.FOURTH;
            Operand behind = context(AsyncCopyEmitter.ORIGINS + 64 * chunk + Long.BYTES);
            code.vector(Evex.VMOVDQU64, at, 0, behind);
            code.vector(Evex.VPSUBQ, at, at, origins(chunk));
            code.vector(Evex.VPCMPUQ, CHECK, at, code.longword(bytes), EQUAL);
            code.multiply(joined, joined, 1 << 8);
            code.maskTo(next, CHECK);
            code.arithmetic(Arithmetic.AND, Operand.register(next), 0xff);
            code.arithmeticLong(Arithmetic.OR, joined, Operand.register(next));
        }
        code.move(next, Operand.register(LaneStampRoutine.LEFT));
        code.shiftRight(next, 1);
        code.arithmetic(Arithmetic.AND, joined, Operand.register(next));
        code.arithmetic(Arithmetic.AND, joined, Operand.register(LaneStampRoutine.LEFT));
    }
}
