package dev.heddle.vm.compiler;

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

    private static final int OWN = Assembler.RBX;
    private static final int LANE = Assembler.RDX;
    private static final int LOCK = Assembler.RSI;
    private static final int PLACE = Assembler.RCX;
    private static final int OLD = Assembler.R13;
    private static final int OFFSET = Assembler.R14;
    private static final int COUNT = Assembler.R8;
    private static final int STATE = Assembler.R9;
    private static final int FIRST = Assembler.R10;
    private static final int SECOND = Assembler.R11;
    private static final int[] KEPT = {OWN, LANE, LOCK, PLACE, COUNT, STATE, FIRST, SECOND};

    private static final int SECTOR = 32;
    private static final int WRITTEN_WORD = 0x0101_0101;
    private static final long WRITTEN_LONG = 0x0101_0101_0101_0101L;
    private static final int STATE_SHIFT = Long.numberOfTrailingZeros(GlobalStamp.STATES);
    private static final int CLASSES_SHIFT = Long.numberOfTrailingZeros(GlobalStamp.CLASSES);
    private static final int SEVERAL = (int) (GlobalStamp.READ_BY_SEVERAL >>> CLASSES_SHIFT);

    // Units of a lane, as logarithms, from words on.
    private static final int WORDS = 2;
    private static final int LONGS = 3;
    private static final int QUADS = 4;

    private final Assembler code;
    private final Kind kind;
    private final Label next = new Label();
    private final Label fail = new Label();

    /// What routines differ in.
    ///
    /// @param bytes of a lane: 4, 8 or 16
    record Kind(int bytes, boolean store) {
        static Kind of(LaneStamps.Access access) {
            return new Kind(access.bytes(), access.store());
        }

        /// Lanes that fill a sector.
        int lanesOfSector() {
            return SECTOR / bytes;
        }
    }

    LaneStampRoutine(Assembler code, Kind kind) {
        this.code = code;
        this.kind = kind;
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
        code.shiftRight(LEFT, lanes);
        code.shiftRight(JOINED, lanes);
        code.arithmeticLong(Arithmetic.ADD, LANE, lanes * Long.BYTES);
        add(OWN, code.longword(lanes * GlobalStamp.ONE_LANE));
    }

    private void add(int register, Operand value) {
        code.arithmeticLong(Arithmetic.ADD, register, value);
    }

    private void copy(int target, int source) {
        code.moveLong(target, Operand.register(source));
    }

    /// A part of a stamp from a bit on.
    private void part(int target, int stamp, int shift) {
        copy(target, stamp);
        code.shiftRightLong(target, shift);
    }

    private void jumpIf(int register, int value, Condition condition, Label target) {
        code.arithmetic(Arithmetic.CMP, Operand.register(register), value);
        code.jump(condition, target);
    }

    private void lane(Label loop) {
        Label partial = new Label();
        Label split = new Label();
        Label words = new Label();
        Label word = new Label();
        code.moveLong(OFFSET, Operand.at(LANE, AsyncCopyEmitter.ORIGINS));
        code.arithmeticLong(Arithmetic.SUB, OFFSET, context(WarpContext.GLOBAL));
        lock();
        part(PLACE, OFFSET, GlobalShadowEmitter.SECTOR_SHIFT);
        code.arithmeticLong(Arithmetic.AND, PLACE, -Long.BYTES);
        add(PLACE, context(WarpContext.SECTORS));
        code.moveLong(OLD, Operand.at(PLACE, 0));
        part(STATE, OLD, STATE_SHIFT);
        code.testConstant(OFFSET, SECTOR - 1);
        code.jump(Condition.NOT_EQUAL, partial);
        int all = (1 << kind.lanesOfSector() - 1) - 1;
        copy(FIRST, JOINED);
        code.arithmetic(Arithmetic.AND, Operand.register(FIRST), all);
        jumpIf(FIRST, all, Condition.NOT_EQUAL, partial);
        jumpIf(STATE, state(GlobalStamp.SPLIT_STATE), Condition.EQUAL, partial);
        marks(SECTOR);
        place();
        advance(kind.lanesOfSector());
        code.jump(loop);

        code.bind(partial);
        marks(kind.bytes);
        if (!kind.store) {
            part(FIRST, OLD, CLASSES_SHIFT);
            jumpIf(FIRST, SEVERAL, Condition.EQUAL, next);
        }
        jumpIf(STATE, state(GlobalStamp.SPLIT_STATE), Condition.NOT_EQUAL, split);
        code.bind(words);
        code.address(PLACE, Operand.at(OFFSET, 0));
        add(PLACE, Operand.register(OFFSET));
        add(PLACE, context(WarpContext.WORD_STAMPS));
        code.moveConstant(COUNT, kind.bytes / Integer.BYTES);
        code.bind(word);
        place();
        code.arithmeticLong(Arithmetic.ADD, PLACE, Long.BYTES);
        code.arithmeticLong(Arithmetic.SUB, COUNT, 1);
        code.jump(Condition.NOT_EQUAL, word);
        code.jump(next);

        code.bind(split);
        split();
        code.jump(words);
    }

    private static int state(long state) {
        return (int) (state >>> STATE_SHIFT);
    }

    /// What is read must have been written; what is written is so from here on.
    private void marks(int bytes) {
        code.moveLong(FIRST, Operand.at(LANE, AsyncCopyEmitter.ORIGINS));
        add(FIRST, context(WarpContext.MARKS));
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
        part(PLACE, OFFSET, GlobalShadowEmitter.LOCK_SHIFT);
        code.arithmeticLong(Arithmetic.AND, PLACE, -Integer.BYTES);
        add(PLACE, Operand.register(FIRST));
        code.arithmeticLong(Arithmetic.CMP, PLACE, Operand.register(LOCK));
        code.jump(Condition.EQUAL, locked);
        unlock();
        code.moveConstant(LOCK, 0);
        code.moveConstant(FIRST, 1);
        code.exchange(Operand.at(PLACE, 0), FIRST);
        code.test(FIRST, FIRST);
        code.jump(Condition.NOT_EQUAL, fail);
        copy(LOCK, PLACE);
        code.bind(locked);
    }

    private void unlock() {
        Label free = new Label();
        code.testLong(LOCK, LOCK);
        code.jump(Condition.EQUAL, free);
        code.storeConstant(Operand.at(LOCK, 0), 0);
        code.bind(free);
    }

    /// Looks at a place, which is stamped if it is in order.
    private void place() {
        Label put = new Label();
        Label done = new Label();
        Label known = new Label();
        Label elsewhere = new Label();
        code.moveLong(OLD, Operand.at(PLACE, 0));
        code.testLong(OLD, OLD);
        code.jump(Condition.EQUAL, put);
        if (!kind.store) {
            part(FIRST, OLD, CLASSES_SHIFT);
            jumpIf(FIRST, SEVERAL, Condition.EQUAL, done);
        }
        part(STATE, OLD, STATE_SHIFT);
        jumpIf(STATE, state(GlobalStamp.READ_STATE), Condition.EQUAL, known);
        if (kind.store) {
            jumpIf(STATE, state(GlobalStamp.WRITTEN_STATE), Condition.EQUAL, known);
        }
        jumpIf(STATE, state(GlobalStamp.READS_STATE), Condition.NOT_EQUAL, fail);
        code.bind(known);
        difference(SECOND);
        code.moveLong(FIRST, context(WarpContext.CTA_MASK));
        code.arithmeticLong(Arithmetic.AND, FIRST, Operand.register(SECOND));
        code.jump(Condition.NOT_EQUAL, kind.store ? fail : elsewhere);
        code.moveLong(FIRST, context(WarpContext.CLOCK_MASK));
        code.arithmeticLong(Arithmetic.AND, FIRST, Operand.register(OLD));
        code.arithmeticLong(Arithmetic.CMP, FIRST, context(WarpContext.GLOBAL_LIMIT));
        code.jump(Condition.LESS_OR_EQUAL, put);
        Label reads = new Label();
        jumpIf(STATE, state(GlobalStamp.READS_STATE), Condition.EQUAL, kind.store ? fail : reads);
        code.arithmeticLong(Arithmetic.AND, SECOND, context(WarpContext.THREADS_MASK));
        code.jump(Condition.EQUAL, put);
        if (kind.store) {
            code.jump(fail);
        } else {
            join(reads, elsewhere, done);
        }
        code.bind(put);
        code.storeLong(Operand.at(PLACE, 0), OWN);
        code.bind(done);
    }

    private void difference(int target) {
        copy(target, OLD);
        code.arithmeticLong(Arithmetic.XOR, target, Operand.register(OWN));
    }

    /// A read of what others read, by which nothing is over.
    ///
    /// @param reads where to come in if others of the CTA are not told apart
    /// @param elsewhere where to come in if those were of another CTA
    private void join(Label reads, Label elsewhere, Label done) {
        Label several = new Label();
        requireWeak();
        code.bind(reads);
        code.moveLong(FIRST, code.longword(GlobalStamp.READS_STATE - GlobalStamp.READ_STATE));
        add(FIRST, Operand.register(OWN));
        code.moveLong(SECOND, code.longword(GlobalStamp.OF_WARPS));
        code.arithmeticLong(Arithmetic.AND, SECOND, Operand.register(OLD));
        code.arithmeticLong(Arithmetic.OR, FIRST, Operand.register(SECOND));
        Label sameWarp = new Label();
        difference(SECOND);
        code.arithmeticLong(Arithmetic.AND, SECOND, code.longword(GlobalStamp.WARPS));
        code.jump(Condition.EQUAL, sameWarp);
        code.arithmeticLong(Arithmetic.OR, FIRST, code.longword(GlobalStamp.OF_WARPS));
        code.bind(sameWarp);
        putLatest(done);

        code.bind(elsewhere);
        jumpIf(STATE, state(GlobalStamp.READS_STATE), Condition.EQUAL, several);
        requireWeak();
        code.bind(several);
        code.moveLong(FIRST, code.longword(~GlobalStamp.CLASSES));
        code.arithmeticLong(Arithmetic.AND, FIRST, Operand.register(OWN));
        code.arithmeticLong(Arithmetic.OR, FIRST, code.longword(GlobalStamp.READ_BY_SEVERAL));
        putLatest(done);
    }

    private void requireWeak() {
        part(FIRST, OLD, CLASSES_SHIFT);
        code.testConstant(FIRST, GlobalStamp.MOST_KIND);
        code.jump(Condition.NOT_EQUAL, fail);
    }

    /// Stores a stamp with the later of both clocks.
    private void putLatest(Label done) {
        Label later = new Label();
        code.moveLong(SECOND, context(WarpContext.CLOCK_MASK));
        code.arithmeticLong(Arithmetic.AND, OLD, Operand.register(SECOND));
        code.arithmeticLong(Arithmetic.AND, SECOND, Operand.register(OWN));
        code.arithmeticLong(Arithmetic.CMP, OLD, Operand.register(SECOND));
        code.jump(Condition.LESS_OR_EQUAL, later);
        code.arithmeticLong(Arithmetic.SUB, FIRST, Operand.register(SECOND));
        add(FIRST, Operand.register(OLD));
        code.bind(later);
        code.storeLong(Operand.at(PLACE, 0), FIRST);
        code.jump(done);
    }

    /// Gives the words of a sector places of their own.
    private void split() {
        Label fill = new Label();
        Label units = new Label();
        code.moveConstant(FIRST, 0);
        code.moveConstant(SECOND, 0);
        code.moveConstant(COUNT, 0);
        code.testLong(OLD, OLD);
        code.jump(Condition.EQUAL, fill);
        jumpIf(STATE, state(GlobalStamp.READS_STATE), Condition.EQUAL, fill);
        jumpIf(STATE, state(GlobalStamp.READ_STATE), Condition.EQUAL, units);
        jumpIf(STATE, state(GlobalStamp.WRITTEN_STATE), Condition.NOT_EQUAL, fail);
        code.bind(units);
        part(STATE, OLD, GlobalStamp.UNIT);
        code.arithmetic(Arithmetic.AND, Operand.register(STATE), GlobalStamp.MOST_UNIT);
        jumpIf(STATE, WORDS, Condition.BELOW, fail);
        // By how much the stamp of a word is greater than that of the one before: of every
        // second, of every fourth, and of the fourth.
        jumpIf(STATE, QUADS, Condition.ABOVE, fill);
        code.moveLong(SECOND, code.longword(GlobalStamp.ONE_LANE));
        jumpIf(STATE, LONGS, Condition.ABOVE, fill);
        copy(FIRST, SECOND);
        jumpIf(STATE, WORDS, Condition.ABOVE, fill);
        copy(COUNT, SECOND);
        code.bind(fill);
        copy(STATE, OFFSET);
        code.arithmeticLong(Arithmetic.AND, STATE, -SECTOR);
        add(STATE, Operand.register(STATE));
        add(STATE, context(WarpContext.WORD_STAMPS));
        for (int word = 0; word < SECTOR / Integer.BYTES; word++) {
            if (word > 0) {
                int step = word % 2 == 1 ? COUNT : word == 4 ? SECOND : FIRST;
                add(OLD, Operand.register(step));
            }
            code.storeLong(Operand.at(STATE, Long.BYTES * word), OLD);
        }
        code.moveLong(OLD, code.longword(GlobalStamp.SPLIT_STATE));
        code.storeLong(Operand.at(PLACE, 0), OLD);
    }
}
