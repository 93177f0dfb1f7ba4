package dev.heddle.vm.compiler;

import static dev.heddle.vm.compiler.WarpValues.context;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.shadow.GlobalStamp;

/// Looks at a place of global memory in machine code, a sector or a word, and stamps it where that
/// is in order at first sight.
///
/// @param store whether places are written
/// @param fail where to go if one is not in order at first sight
record PlaceStampEmitter(Assembler code, boolean store, Label fail) {
    // Registers: the stamp of the lane, where a place's stamp stands and what it was, where the
    // lane's bytes stand, and what is needed in between.
    static final int OWN = Assembler.RBX;
    static final int PLACE = Assembler.RCX;
    static final int OLD = Assembler.R13;
    static final int OFFSET = Assembler.R14;
    static final int COUNT = Assembler.R8;
    static final int STATE = Assembler.R9;
    static final int FIRST = Assembler.R10;
    static final int SECOND = Assembler.R11;

    static final int SECTOR = GlobalStamp.SECTOR;
    static final int CLASSES_SHIFT = Long.numberOfTrailingZeros(GlobalStamp.CLASSES);
    static final int STATE_SHIFT = Long.numberOfTrailingZeros(GlobalStamp.STATES);

    // Units of a lane, as logarithms.
    private static final int SHORTS = 1;
    private static final int WORDS = 2;
    private static final int LONGS = 3;
    private static final int QUADS = 4;

    void add(int register, Operand value) {
        code.arithmeticLong(Arithmetic.ADD, register, value);
    }

    void copy(int target, int source) {
        code.moveLong(target, Operand.register(source));
    }

    /// A part of a stamp from a bit on.
    void part(int target, int stamp, int shift) {
        copy(target, stamp);
        code.shiftRightLong(target, shift);
    }

    void jumpIf(int register, int value, Condition condition, Label target) {
        code.arithmetic(Arithmetic.CMP, Operand.register(register), value);
        code.jump(condition, target);
    }

    /// Goes to where nothing is kept of a read, because several CTAs have read the place.
    void jumpIfOfSeveral(Label target) {
        code.moveLong(FIRST, code.longword(GlobalStamp.CLASSES));
        code.arithmeticLong(Arithmetic.AND, FIRST, Operand.register(OLD));
        code.arithmeticLong(Arithmetic.CMP, FIRST, context(WarpContext.SEVERAL));
        code.jump(Condition.EQUAL, target);
    }

    static int state(long state) {
        return (int) (state >>> STATE_SHIFT);
    }

    /// Looks at a place, which is stamped if it is in order.
    void place() {
        Label put = new Label();
        Label done = new Label();
        Label known = new Label();
        Label elsewhere = new Label();
        code.moveLong(OLD, Operand.at(PLACE, 0));
        code.testLong(OLD, OLD);
        code.jump(Condition.EQUAL, put);
        if (!store) {
            jumpIfOfSeveral(done);
        }
        part(STATE, OLD, STATE_SHIFT);
        if (store) {
            Label weak = new Label();
            Label alone = new Label();
            jumpIf(STATE, state(GlobalStamp.READS_STATE), Condition.NOT_EQUAL, alone);
            jumpIfCopied(fail);
            code.jump(known);
            code.bind(alone);
            jumpIf(STATE, state(GlobalStamp.READ_STATE), Condition.EQUAL, weak);
            jumpIf(STATE, state(GlobalStamp.WRITTEN_STATE), Condition.NOT_EQUAL, fail);
            code.bind(weak);
            // Who observes a strong write learns nothing once it is overwritten: Java keeps that.
            requireWeak();
        } else {
            jumpIf(STATE, state(GlobalStamp.READS_STATE), Condition.EQUAL, known);
            jumpIf(STATE, state(GlobalStamp.READ_STATE), Condition.NOT_EQUAL, fail);
            // What a copy reads may go on: Java keeps it beside other reads.
            requireSameKind();
        }
        code.bind(known);
        difference(SECOND);
        code.moveLong(FIRST, context(WarpContext.CTA_MASK));
        code.arithmeticLong(Arithmetic.AND, FIRST, Operand.register(SECOND));
        code.jump(Condition.NOT_EQUAL, store ? fail : elsewhere);
        Label copied = new Label();
        if (!store) {
            // Nor does the place forget it.
            jumpIfCopied(copied);
        }
        clock();
        code.arithmeticLong(Arithmetic.CMP, FIRST, context(WarpContext.GLOBAL_LIMIT));
        code.jump(Condition.LESS_OR_EQUAL, put);
        code.bind(copied);
        Label reads = new Label();
        jumpIf(STATE, state(GlobalStamp.READS_STATE), Condition.EQUAL, store ? fail : reads);
        code.arithmeticLong(Arithmetic.AND, SECOND, context(WarpContext.THREADS_MASK));
        code.jump(Condition.EQUAL, put);
        if (store) {
            code.jump(fail);
        } else {
            // Clocks in the upper half may be those of asynchronous operations.
            code.moveLong(SECOND, context(WarpContext.CLOCK_MASK));
            code.shiftRightLong(SECOND, 1);
            clock();
            code.arithmeticLong(Arithmetic.CMP, FIRST, Operand.register(SECOND));
            code.jump(Condition.ABOVE, fail);
            join(reads, elsewhere, done);
        }
        code.bind(put);
        code.storeLong(Operand.at(PLACE, 0), OWN);
        code.bind(done);
    }

    /// Leaves the clock of the place in a register.
    private void clock() {
        code.moveLong(FIRST, context(WarpContext.CLOCK_MASK));
        code.arithmeticLong(Arithmetic.AND, FIRST, Operand.register(OLD));
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
        code.bind(reads);
        code.moveLong(FIRST, code.longword(GlobalStamp.READS_STATE - GlobalStamp.READ_STATE));
        add(FIRST, Operand.register(OWN));
        code.moveLong(SECOND, code.longword(GlobalStamp.OF_WARPS | GlobalStamp.COPIED_KIND));
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
        code.moveLong(FIRST, code.longword(GlobalStamp.READ_BY_SEVERAL));
        code.arithmeticLong(Arithmetic.CMP, FIRST, context(WarpContext.SEVERAL));
        code.jump(Condition.NOT_EQUAL, fail);
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

    /// Goes elsewhere if a place has what a copy reads.
    private void jumpIfCopied(Label target) {
        part(FIRST, OLD, CLASSES_SHIFT);
        code.testConstant(FIRST, GlobalStamp.COPIED);
        code.jump(Condition.NOT_EQUAL, target);
    }

    private void requireSameKind() {
        difference(FIRST);
        code.shiftRightLong(FIRST, CLASSES_SHIFT);
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
    void split() {
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
        // By how much the stamp of a word is greater than that of the one before: of every
        // second, of every fourth, and of the fourth.
        jumpIf(STATE, QUADS, Condition.ABOVE, fill);
        code.moveLong(SECOND, code.longword(GlobalStamp.ONE_LANE));
        jumpIf(STATE, LONGS, Condition.ABOVE, fill);
        copy(FIRST, SECOND);
        jumpIf(STATE, WORDS, Condition.ABOVE, fill);
        lanesOfWord();
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

    /// Of a word that several lanes accessed: all words are so far apart.
    private void lanesOfWord() {
        Label one = new Label();
        Label several = new Label();
        jumpIf(STATE, WORDS, Condition.EQUAL, one);
        add(SECOND, Operand.register(SECOND));
        jumpIf(STATE, SHORTS, Condition.EQUAL, several);
        add(SECOND, Operand.register(SECOND));
        code.bind(several);
        copy(FIRST, SECOND);
        code.bind(one);
    }
}
