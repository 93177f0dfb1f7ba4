package dev.heddle.vm.compiler;

import static dev.heddle.vm.compiler.WarpValues.CONTEXT;
import static dev.heddle.vm.compiler.WarpValues.context;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.shadow.Stamp;

import java.util.function.Consumer;

/// Looks at what some lanes of a warp that runs by itself access in shared memory, or at bytes of
/// words of all, lane by lane ([SharedLaneRoutine]). What is not in order at first sight leads to
/// Java, which looks at all lanes: it stamps again, the same way, what is stamped already.
final class SharedLaneEmitter {
    private static final int CHECK = 5;
    private static final int SAME = 6;

    private final Assembler code;
    private final RowEmitter notes;
    private final Routines<SharedLaneRoutine.Kind> routines;

    /// @param notes of what is read
    /// @param later takes code that is to stand behind everything else
    SharedLaneEmitter(Assembler code, RowEmitter notes, Consumer<Runnable> later) {
        this.code = code;
        this.notes = notes;
        routines =
                new Routines<>(
                        later, (kind, start) -> new SharedLaneRoutine(code, kind).emit(start));
    }

    /// Keeps where lanes of a chunk go.
    void keep(int offsets, Width width, int chunk) {
        int from = offsets;
        if (width == Width.LONG) {
            from = WarpValues.THIRD;
            code.vector(Evex.VPMOVQD, offsets, 0, Operand.register(from));
        }
        int bytes = width == Width.LONG ? 32 : 64;
        Operand place = Operand.at(CONTEXT, WarpContext.ADDRESSES + bytes * chunk);
        code.vector(Evex.VMOVDQU32_STORE, from, 0, place);
    }

    /// Looks at an access of lanes whose places are kept.
    ///
    /// @param lanes the mask register with them
    void look(MemoryEmitter.Plain plain, int lanes, MemoryEmitter.Otherwise otherwise) {
        Label java = otherwise.fault();
        int all = plain.store() ? WarpContext.STORES : WarpContext.STAMPS;
        code.moveLong(Assembler.RAX, context(all));
        code.testLong(Assembler.RAX, Assembler.RAX);
        code.jump(Condition.EQUAL, java);
        if (plain.store()) {
            SharedStampEmitter.requireNoNotes(code, otherwise.noted());
        }
        code.maskTo(SharedLaneRoutine.LEFT, lanes);
        if (!plain.store()) {
            passOverSame(lanes);
        }
        long site = Stamp.of(0, plain.step().site().number(), Stamp.WEAK, 0);
        code.moveLong(SharedLaneRoutine.OWN, context(WarpContext.NOW));
        code.arithmeticLong(Arithmetic.ADD, SharedLaneRoutine.OWN, code.longword(site));
        code.call(routines.of(new SharedLaneRoutine.Kind(plain.bytes(), plain.store())));
        code.test(Assembler.RAX, Assembler.RAX);
        if (plain.store()) {
            code.jump(Condition.NOT_EQUAL, java);
            return;
        }
        Label stamped = new Label();
        code.jump(Condition.EQUAL, stamped);
        code.arithmetic(Arithmetic.CMP, Operand.register(Assembler.RAX), SharedLaneRoutine.NOTE);
        code.jump(Condition.NOT_EQUAL, java);
        notes.note(plain, lanes, otherwise.noted());
        code.bind(stamped);
    }

    /// Where lanes read one place, leaves the first two of them: what is in order for two threads
    /// is no write of one of them, and so in order for all.
    private void passOverSame(int lanes) {
        int left = SharedLaneRoutine.LEFT;
        int first = Assembler.RAX;
        int spare = Assembler.R13;
        Label apart = new Label();
        // The first lane is as many as there are zeros below the lowest bit.
        code.move(first, Operand.register(left));
        code.arithmeticLong(Arithmetic.SUB, first, 1);
        code.move(spare, Operand.register(left));
        code.not(spare);
        code.arithmetic(Arithmetic.AND, first, Operand.register(spare));
        code.countBits(first, first);
        code.loadAt(false, first, CONTEXT, first, WarpContext.ADDRESSES);
        int place = WarpValues.FOURTH;
        code.vector(Evex.VPBROADCASTD_R, place, 0, Operand.register(first));
        for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
            code.maskShiftRight(SAME, lanes, 16 * chunk);
            Operand places = Operand.at(CONTEXT, WarpContext.ADDRESSES + 64 * chunk);
            code.vector(Evex.VPCMPUD, CHECK, place, places, SAME, false, Assembler.NOT_EQUAL);
            code.jumpIf(Bits.ANY, CHECK, apart);
        }
        code.move(first, Operand.register(left));
        for (int i = 0; i < 2; i++) {
            code.move(spare, Operand.register(first));
            code.arithmeticLong(Arithmetic.SUB, spare, 1);
            code.arithmetic(Arithmetic.AND, first, Operand.register(spare));
        }
        code.arithmetic(Arithmetic.XOR, left, Operand.register(first));
        code.bind(apart);
    }
}
