package dev.heddle.vm.compiler;

import static dev.heddle.vm.compiler.PlaceStampEmitter.CLASSES_SHIFT;
import static dev.heddle.vm.compiler.PlaceStampEmitter.COUNT;
import static dev.heddle.vm.compiler.PlaceStampEmitter.FIRST;
import static dev.heddle.vm.compiler.PlaceStampEmitter.OFFSET;
import static dev.heddle.vm.compiler.PlaceStampEmitter.OLD;
import static dev.heddle.vm.compiler.PlaceStampEmitter.OWN;
import static dev.heddle.vm.compiler.PlaceStampEmitter.PLACE;
import static dev.heddle.vm.compiler.PlaceStampEmitter.SECOND;
import static dev.heddle.vm.compiler.PlaceStampEmitter.SECTOR;
import static dev.heddle.vm.compiler.PlaceStampEmitter.STATE;
import static dev.heddle.vm.compiler.PlaceStampEmitter.STATE_SHIFT;
import static dev.heddle.vm.compiler.WarpValues.CONTEXT;
import static dev.heddle.vm.compiler.WarpValues.context;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.shadow.GlobalStamp;

/// A routine that looks at what lanes access in global memory, and stamps it: as
/// [GlobalAccess][dev.heddle.vm.shadow.GlobalAccess] does, by the same stamps. It returns 0 in RAX
/// where all is in order at first sight.
///
/// Lanes whose bytes fill a sector are one place; of others each word is one.
final class LaneStampRoutine {
    // What it is called with: the lanes, those behind which the next one goes on, and the stamp of
    // lane 0.
    static final int LEFT = Assembler.RBP;
    static final int JOINED = Assembler.RAX;
    static final int STAMP = Assembler.R14;

    private static final int LANE = Assembler.RDX;
    private static final int LOCK = Assembler.RSI;
    private static final int[] KEPT = {OWN, LANE, LOCK, PLACE, COUNT, STATE, FIRST, SECOND};

    private static final int HALF = SECTOR / 2;
    private static final int SPLIT = PlaceStampEmitter.state(GlobalStamp.SPLIT_STATE);
    private static final int WRITTEN_WORD = GlobalShadowEmitter.WRITTEN_MARKS;
    private static final long WRITTEN_LONG = WRITTEN_WORD * 0x1_0000_0001L;

    private final Assembler code;
    private final Kind kind;

    /// What a place is at least, and the lanes that fill it.
    private final int unit;

    private final int lanesOfUnit;
    private final Label next = new Label();
    private final Label fail = new Label();
    private final PlaceStampEmitter places;

    /// What routines differ in.
    ///
    /// @param bytes of a lane: 1 to 16
    record Kind(int bytes, boolean store) {
        static Kind of(LaneStamps.Access access) {
            return new Kind(access.bytes(), access.store());
        }
    }

    LaneStampRoutine(Assembler code, Kind kind) {
        this.code = code;
        this.kind = kind;
        unit = Math.max(Integer.BYTES, kind.bytes);
        lanesOfUnit = unit / kind.bytes;
        places = new PlaceStampEmitter(code, kind.store, fail);
    }

    /// @param start where the routine is to stand
    void emit(Label start) {
        Label loop = new Label();
        Label done = new Label();
        Label out = new Label();
        code.bind(start);
        for (int register : KEPT) {
            code.push(register);
        }
        code.moveLong(OWN, Operand.register(STAMP));
        code.moveLong(LANE, Operand.register(CONTEXT));
        code.moveConstant(LOCK, 0);
        code.bind(loop);
        code.test(LEFT, LEFT);
        code.jump(Condition.EQUAL, done);
        code.testConstant(LEFT, 1);
        code.jump(Condition.EQUAL, next);
        lane(loop);
        code.bind(next);
        advance(1);
        code.jump(loop);
        code.bind(fail);
        code.moveConstant(Assembler.RAX, 1);
        code.jump(out);
        code.bind(done);
        code.moveConstant(Assembler.RAX, 0);
        code.bind(out);
        unlock();
        for (int i = KEPT.length - 1; i >= 0; i--) {
            code.pop(KEPT[i]);
        }
        code.ret();
    }

    private void advance(int lanes) {
        code.shiftRightLong(LEFT, lanes);
        code.shiftRightLong(JOINED, lanes);
        code.arithmeticLong(Arithmetic.ADD, LANE, lanes * Long.BYTES);
        places.add(OWN, code.longword(lanes * GlobalStamp.ONE_LANE));
    }

    private void lane(Label loop) {
        Label partial = new Label();
        code.moveLong(OFFSET, Operand.at(LANE, AsyncCopyEmitter.ORIGINS));
        code.arithmeticLong(Arithmetic.SUB, OFFSET, context(WarpContext.GLOBAL));
        lock();
        places.part(PLACE, OFFSET, GlobalShadowEmitter.SECTOR_SHIFT);
        code.arithmeticLong(Arithmetic.AND, PLACE, -Long.BYTES);
        places.add(PLACE, context(WarpContext.SECTORS));
        code.moveLong(OLD, Operand.at(PLACE, 0));
        places.part(STATE, OLD, STATE_SHIFT);
        requireWhole(SECTOR, partial);
        places.jumpIf(STATE, SPLIT, Condition.EQUAL, partial);
        marks(SECTOR);
        places.place();
        advance(SECTOR / kind.bytes);
        code.jump(loop);
        code.bind(partial);
        words(loop);
    }

    /// Goes elsewhere unless lanes one behind the other fill so many bytes, a power of two, from
    /// this one on.
    private void requireWhole(int bytes, Label other) {
        code.testConstant(OFFSET, bytes - 1);
        code.jump(Condition.NOT_EQUAL, other);
        int joined = (1 << bytes / kind.bytes - 1) - 1;
        if (joined != 0) {
            places.copy(FIRST, JOINED);
            code.arithmetic(Arithmetic.AND, Operand.register(FIRST), joined);
            places.jumpIf(FIRST, joined, Condition.NOT_EQUAL, other);
        }
    }

    /// A part of a sector. Words of which lanes access a part only are left to Java.
    private void words(Label loop) {
        Label split = new Label();
        Label parts = new Label();
        Label word = new Label();
        Label done = new Label();
        requireWhole(unit, fail);
        marks(unit);
        if (!kind.store) {
            places.jumpIfOfSeveral(done);
        }
        places.jumpIf(STATE, SPLIT, Condition.NOT_EQUAL, split);
        code.bind(parts);
        code.address(PLACE, Operand.at(OFFSET, 0));
        places.add(PLACE, Operand.register(OFFSET));
        places.add(PLACE, context(WarpContext.WORD_STAMPS));
        half(loop);
        code.moveConstant(COUNT, unit / Integer.BYTES);
        code.bind(word);
        places.place();
        code.arithmeticLong(Arithmetic.ADD, PLACE, Long.BYTES);
        code.arithmeticLong(Arithmetic.SUB, COUNT, 1);
        code.jump(Condition.NOT_EQUAL, word);
        code.bind(done);
        advance(lanesOfUnit);
        code.jump(loop);

        code.bind(split);
        places.split();
        code.jump(parts);
    }

    /// Half a sector that lanes fill, where nobody has accessed any word of it, or several CTAs
    /// have read all; goes on behind this where it is otherwise.
    private void half(Label loop) {
        Label apart = new Label();
        Label put = new Label();
        Label done = new Label();
        requireWhole(HALF, apart);
        int[] olds = {OLD, FIRST, SECOND, STATE};
        code.moveConstant(COUNT, 0);
        for (int i = 0; i < olds.length; i++) {
            code.moveLong(olds[i], Operand.at(PLACE, Long.BYTES * i));
            code.arithmeticLong(Arithmetic.OR, COUNT, Operand.register(olds[i]));
        }
        code.testLong(COUNT, COUNT);
        code.jump(Condition.EQUAL, put);
        if (!kind.store) {
            code.moveConstant(COUNT, 0);
            for (int old : olds) {
                code.arithmeticLong(Arithmetic.XOR, old, context(WarpContext.SEVERAL));
                code.arithmeticLong(Arithmetic.OR, COUNT, Operand.register(old));
            }
            code.shiftRightLong(COUNT, CLASSES_SHIFT);
            code.test(COUNT, COUNT);
            code.jump(Condition.EQUAL, done);
        }
        code.jump(apart);
        code.bind(put);
        putHalf();
        code.bind(done);
        marks(HALF);
        advance(HALF / kind.bytes);
        code.jump(loop);
        code.bind(apart);
    }

    private void putHalf() {
        places.copy(STATE, OWN);
        for (int at = 0; at < HALF; at += Integer.BYTES) {
            code.storeLong(Operand.at(PLACE, Long.BYTES / Integer.BYTES * at), STATE);
            if ((at + Integer.BYTES) % kind.bytes == 0) {
                places.add(STATE, code.longword(lanesOfUnit * GlobalStamp.ONE_LANE));
            }
        }
    }

    /// What is read must have been written; what is written is so from here on.
    private void marks(int bytes) {
        code.moveLong(FIRST, Operand.at(LANE, AsyncCopyEmitter.ORIGINS));
        places.add(FIRST, context(WarpContext.MARKS));
        if (bytes == Integer.BYTES && kind.store) {
            code.storeConstant(Operand.at(FIRST, 0), WRITTEN_WORD);
        } else if (bytes == Integer.BYTES) {
            code.arithmetic(Arithmetic.CMP, Operand.at(FIRST, 0), WRITTEN_WORD);
            code.jump(Condition.NOT_EQUAL, fail);
        } else if (kind.store) {
            code.moveLong(SECOND, code.longword(WRITTEN_LONG));
            for (int i = 0; i < bytes; i += Long.BYTES) {
                code.storeLong(Operand.at(FIRST, i), SECOND);
            }
        } else {
            code.moveLong(SECOND, Operand.at(FIRST, 0));
            for (int i = Long.BYTES; i < bytes; i += Long.BYTES) {
                code.arithmeticLong(Arithmetic.AND, SECOND, Operand.at(FIRST, i));
            }
            code.arithmeticLong(Arithmetic.CMP, SECOND, code.longword(WRITTEN_LONG));
            code.jump(Condition.NOT_EQUAL, fail);
        }
    }

    /// Takes the lock of the page, where other workers look at pages too; where somebody has it,
    /// Java waits.
    private void lock() {
        Label locked = new Label();
        code.moveLong(FIRST, context(WarpContext.LOCKS));
        code.testLong(FIRST, FIRST);
        code.jump(Condition.EQUAL, locked);
        places.part(PLACE, OFFSET, GlobalShadowEmitter.LOCK_SHIFT);
        code.arithmeticLong(Arithmetic.AND, PLACE, -Integer.BYTES);
        places.add(PLACE, Operand.register(FIRST));
        code.arithmeticLong(Arithmetic.CMP, PLACE, Operand.register(LOCK));
        code.jump(Condition.EQUAL, locked);
        unlock();
        code.moveConstant(LOCK, 0);
        code.moveConstant(FIRST, 1);
        code.exchange(Operand.at(PLACE, 0), FIRST);
        code.test(FIRST, FIRST);
        code.jump(Condition.NOT_EQUAL, fail);
        places.copy(LOCK, PLACE);
        code.bind(locked);
    }

    private void unlock() {
        Label free = new Label();
        code.testLong(LOCK, LOCK);
        code.jump(Condition.EQUAL, free);
        code.storeConstant(Operand.at(LOCK, 0), 0);
        code.bind(free);
    }
}
