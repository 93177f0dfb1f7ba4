package dev.heddle.vm.compiler;

import static dev.heddle.vm.compiler.WarpValues.CONTEXT;
import static dev.heddle.vm.compiler.WarpValues.context;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.shadow.Stamp;

/// A routine that looks at what lanes access in shared memory, one after the other, and stamps it:
/// whole words, or bytes of one. It returns in RAX whether all is in order at first sight.
///
/// A place is in order where what was done there is over for the warp, or was done by the same
/// thread. Bytes have places where their word has given them such; a store to bytes of another
/// word gives it some, and reads of such bytes are left to be noted.
final class SharedLaneRoutine {
    /// What it is called with: the lanes, and the stamp of lane 0.
    static final int LEFT = Assembler.RBP;

    static final int OWN = Assembler.R14;

    /// What it returns: reads that are in order, and not all of them stamped; else not 0 where
    /// something is not in order at first sight.
    static final int NOTE = 1;

    private static final int FAIL = 2;

    private static final int LANE = Assembler.RDX;
    private static final int AT = Assembler.RCX;
    private static final int PLACE = Assembler.RBX;
    private static final int WRITE = Assembler.R8;
    private static final int READ = Assembler.R9;
    private static final int READS = Assembler.R10;
    private static final int SPARE = Assembler.R11;
    private static final int WORD = Assembler.RSI;
    private static final int[] KEPT = {LANE, AT, PLACE, WRITE, READ, READS, SPARE, WORD};

    private final Assembler code;
    private final Kind kind;
    private final Label fail = new Label();

    /// What routines differ in.
    ///
    /// @param bytes of a lane: 1 to 16
    record Kind(int bytes, boolean store) {}

    SharedLaneRoutine(Assembler code, Kind kind) {
        this.code = code;
        this.kind = kind;
    }

    /// @param start where the routine is to stand
    void emit(Label start) {
        Label loop = new Label();
        Label next = new Label();
        Label out = new Label();
        code.bind(start);
        for (int register : KEPT) {
            code.push(register);
        }
        code.moveLong(LANE, Operand.register(CONTEXT));
        code.moveConstant(Assembler.RAX, 0);
        code.bind(loop);
        code.test(LEFT, LEFT);
        code.jump(Condition.EQUAL, out);
        code.testConstant(LEFT, 1);
        code.jump(Condition.EQUAL, next);
        lane();
        code.bind(next);
        code.shiftRight(LEFT, 1);
        code.arithmeticLong(Arithmetic.ADD, LANE, Integer.BYTES);
        code.arithmeticLong(Arithmetic.ADD, OWN, 1);
        code.jump(loop);
        code.bind(fail);
        code.moveConstant(Assembler.RAX, FAIL);
        code.bind(out);
        for (int i = KEPT.length - 1; i >= 0; i--) {
            code.pop(KEPT[i]);
        }
        code.ret();
    }

    private void lane() {
        code.move(AT, Operand.at(LANE, WarpContext.ADDRESSES));
        if (kind.store) {
            requireOutside(WarpContext.READ_START, WarpContext.READ_SPAN);
            requireOutside(WarpContext.STRONG_START, WarpContext.STRONG_SPAN);
        }
        boolean isPart = kind.bytes < Integer.BYTES;
        code.moveLong(WORD, Operand.register(AT));
        if (isPart) {
            code.arithmeticLong(Arithmetic.AND, WORD, -Integer.BYTES);
        }
        code.moveLong(PLACE, Operand.register(WORD));
        add(PLACE, Operand.register(WORD));
        add(PLACE, context(WarpContext.STAMPS));
        findReads();
        Label done = new Label();
        if (isPart) {
            part(done);
        }
        for (int i = 0; i < (isPart ? kind.bytes : kind.bytes / Integer.BYTES); i++) {
            place(i * Long.BYTES);
        }
        code.bind(done);
    }

    private void add(int register, Operand value) {
        code.arithmeticLong(Arithmetic.ADD, register, value);
    }

    /// From where a place's last write stands to where its last read does.
    private void findReads() {
        code.moveLong(READS, Operand.register(PLACE));
        code.arithmeticLong(Arithmetic.SUB, READS, context(WarpContext.STAMPS));
        add(READS, context(WarpContext.READS));
    }

    private void requireOutside(int start, int span) {
        code.moveLong(SPARE, Operand.register(AT));
        add(SPARE, context(WarpContext.SHARED));
        code.arithmeticLong(Arithmetic.SUB, SPARE, context(start));
        code.arithmeticLong(Arithmetic.CMP, SPARE, context(span));
        code.jump(Condition.BELOW, fail);
    }

    /// Goes elsewhere if an access was neither over for the warp nor of this thread, as far as is
    /// seen.
    private void requireInOrder(int stamp, Label other) {
        Label over = new Label();
        code.arithmeticLong(Arithmetic.CMP, stamp, context(WarpContext.OVER));
        code.jump(Condition.LESS_OR_EQUAL, over);
        Label late = new Label();
        code.arithmeticLong(Arithmetic.CMP, stamp, context(WarpContext.ASYNC_OVER));
        code.jump(Condition.ABOVE, late);
        code.arithmeticLong(Arithmetic.CMP, stamp, code.longword(Stamp.ASYNC));
        code.jump(Condition.ABOVE_OR_EQUAL, over);
        code.bind(late);
        code.arithmeticLong(Arithmetic.CMP, stamp, code.longword(Stamp.LOOK_CLOSER));
        code.jump(Condition.ABOVE_OR_EQUAL, other);
        code.moveLong(SPARE, Operand.register(stamp));
        code.arithmeticLong(Arithmetic.XOR, SPARE, Operand.register(OWN));
        code.testConstant(SPARE, Stamp.BY_THREAD);
        code.jump(Condition.EQUAL, over);
        requireOverByWarp(stamp, other);
        code.bind(over);
    }

    /// The same by what is over of the warp alone, as [OverEmitter] does.
    private void requireOverByWarp(int stamp, Label other) {
        code.moveLong(SPARE, Operand.register(stamp));
        code.testConstant(SPARE, (int) Stamp.KINDS);
        code.jump(Condition.NOT_EQUAL, other);
        code.shiftRightLong(SPARE, OverEmitter.TO_WARP);
        code.arithmeticLong(Arithmetic.AND, SPARE, OverEmitter.WARPS);
        add(SPARE, Operand.register(CONTEXT));
        code.arithmeticLong(Arithmetic.CMP, stamp, Operand.at(SPARE, WarpContext.OVERS));
        code.jump(Condition.ABOVE, other);
    }

    /// Looks at a place, and stamps it.
    private void place(int offset) {
        Operand write = Operand.at(PLACE, offset);
        Operand read = Operand.at(READS, offset);
        Label note = new Label();
        Label done = new Label();
        code.moveLong(WRITE, write);
        if (!kind.store) {
            code.testLong(WRITE, WRITE);
            code.jump(Condition.EQUAL, fail);
        }
        requireInOrder(WRITE, fail);
        code.moveLong(READ, read);
        requireInOrder(READ, kind.store ? fail : note);
        if (kind.store) {
            code.storeLong(write, OWN);
            code.moveConstant(SPARE, 0);
            code.storeLong(read, SPARE);
            return;
        }
        code.storeLong(read, OWN);
        code.jump(done);
        code.bind(note);
        code.moveConstant(Assembler.RAX, NOTE);
        code.bind(done);
    }

    // Bytes of a word.

    /// Finds the places of the lane's bytes.
    ///
    /// @param done where to go where the word is one place, and it is read
    private void part(Label done) {
        Label bytes = new Label();
        Label whole = new Label();
        int table = Assembler.R13;
        code.moveLong(WRITE, Operand.at(PLACE, 0));
        code.arithmeticLong(Arithmetic.CMP, WRITE, code.longword(Stamp.LOOK_CLOSER));
        code.jump(Condition.BELOW, whole);
        findTable(table);
        code.move(SPARE, Operand.at(table, 0));
        code.arithmetic(Arithmetic.CMP, Operand.register(SPARE), 0);
        code.jump(Condition.LESS_OR_EQUAL, fail);
        code.bind(bytes);
        places(SPARE, PLACE);
        code.arithmeticLong(Arithmetic.AND, AT, Integer.BYTES - 1);
        code.multiply(AT, AT, Long.BYTES);
        add(PLACE, Operand.register(AT));
        findReads();
        Label found = new Label();
        code.jump(found);
        code.bind(whole);
        if (kind.store) {
            findTable(table);
            split(table);
            code.jump(bytes);
        } else {
            code.testLong(WRITE, WRITE);
            code.jump(Condition.EQUAL, fail);
            requireInOrder(WRITE, fail);
            code.moveConstant(Assembler.RAX, NOTE);
            code.jump(done);
        }
        code.bind(found);
    }

    /// Finds where the place of the word's first byte stands.
    private void findTable(int table) {
        code.moveLong(table, context(WarpContext.BYTE_PLACES));
        code.testLong(table, table);
        code.jump(Condition.EQUAL, fail);
        add(table, Operand.register(WORD));
    }

    /// From the number of a place to where its last write stands.
    private void places(int number, int target) {
        code.multiply(target, number, Long.BYTES);
        add(target, context(WarpContext.STAMPS));
    }

    /// Gives the bytes of a word places, as [dev.heddle.vm.shadow.SharedShadow] does; the first
    /// one's number is left in SPARE.
    private void split(int table) {
        Label known = new Label();
        requireSingle(WRITE);
        code.moveLong(READ, Operand.at(READS, 0));
        requireSingle(READ);
        code.moveConstant(SPARE, 0);
        code.arithmetic(Arithmetic.SUB, SPARE, Operand.at(table, 0));
        code.jump(Condition.NOT_EQUAL, known);
        code.moveLong(SPARE, context(WarpContext.NEXT_PLACE));
        code.arithmeticLong(Arithmetic.CMP, SPARE, context(WarpContext.PLACES_END));
        code.jump(Condition.ABOVE_OR_EQUAL, fail);
        code.moveLong(WORD, Operand.register(SPARE));
        code.arithmeticLong(Arithmetic.ADD, WORD, Integer.BYTES);
        code.storeLong(context(WarpContext.NEXT_PLACE), WORD);
        code.bind(known);
        code.store(Operand.at(table, 0), SPARE);
        places(SPARE, table);
        for (int i = 0; i < Integer.BYTES; i++) {
            code.storeLong(Operand.at(table, Long.BYTES * i), WRITE);
        }
        code.arithmeticLong(Arithmetic.SUB, table, context(WarpContext.STAMPS));
        add(table, context(WarpContext.READS));
        for (int i = 0; i < Integer.BYTES; i++) {
            code.storeLong(Operand.at(table, Long.BYTES * i), READ);
        }
        code.moveLong(WRITE, code.longword(Stamp.LOOK_CLOSER));
        code.storeLong(Operand.at(PLACE, 0), WRITE);
    }

    /// A stamp must stand for one access that is in order.
    private void requireSingle(int stamp) {
        requireInOrder(stamp, fail);
        code.moveLong(SPARE, Operand.register(stamp));
        code.not(SPARE);
        code.testConstant(SPARE, Stamp.SEVERAL);
        code.jump(Condition.EQUAL, fail);
    }
}
