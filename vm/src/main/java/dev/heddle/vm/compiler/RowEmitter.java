package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.GREATER;
import static dev.heddle.vm.compiler.WarpValues.context;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Assembler.MaskOperation;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.RowFragments;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.shadow.PlannedReads;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// `ldmatrix` in machine code: a register of a warp has the bytes of eight rows, in their order or
/// by pairs of rows. Rows that are out of bounds or not aligned are left to Java. With checks, all
/// words of the rows must have been written in order with the warp, and the rows are noted; so it
/// is with what each lane loads from shared memory.
final class RowEmitter {
    private static final int CHECK = 5;
    private static final int SPARE = 6;
    private static final int ROWS = 8;
    private static final int ROW_BYTES = 16;

    /// Columns of a matrix of 16-bit elements.
    private static final int COLUMNS = 8;

    private static final int SHARED = Assembler.R14;
    private static final int POINTER = Assembler.RAX;
    private static final int LOW = Assembler.RBP;
    private static final int HIGH = Assembler.R13;

    private static final int STAMPS = SHARED;

    private final WarpValues values;
    private final Assembler code;
    private final Checking checking;
    private final Set<Step> stamped;
    private final OverEmitter over;
    private final List<PlannedReads> reads = new ArrayList<>();

    /// @param checking who looks at accesses of memory
    /// @param stamped loads that are not noted, as each lane's words are stamped
    /// @param later takes code that is to stand behind everything else
    RowEmitter(WarpValues values, Checking checking, Set<Step> stamped, Consumer<Runnable> later) {
        this.values = values;
        this.checking = checking;
        this.stamped = stamped;
        code = values.code;
        over = new OverEmitter(code, later);
    }

    /// What notes of rows stand for, by their numbers.
    List<PlannedReads> reads() {
        return reads;
    }

    /// Whether a load is known here.
    static boolean knows(Exit.Synchronize exit) {
        return exit.guard() == null
                && exit.joint() instanceof Collective.AccessMatrix access
                && access.kind() == AccessKind.LOAD
                && access.space() == Space.SHARED
                && (access.layout().isWhole()
                        || access.layout().isOfPairs() && Assembler.has(Evex.VPERMI2W))
                && access.base() instanceof Register base
                && base.width() == Width.WORD
                && Math.abs(access.offset()) < 1 << 24;
    }

    /// Whether what a step loads is noted, and not stamped word by word.
    boolean notes(Step step) {
        return !stamped.contains(step);
    }

    /// Whether a load is one that [#look] knows.
    boolean knows(MemoryEmitter.Plain load) {
        return notes(load.step())
                && !load.store()
                && !load.global()
                && load.step().guard() == null
                && load.bytes() >= Integer.BYTES
                && load.base().width() == Width.WORD;
    }

    /// Looks at a load of all lanes, and notes it.
    ///
    /// @param other where to go if it is not in order at first sight
    /// @param full where to go if there is no room for a note
    void look(MemoryEmitter.Plain load, Label other, Label full) {
        code.arithmetic(Arithmetic.CMP, Operand.register(WarpValues.ACTIVE), -1);
        code.jump(Condition.NOT_EQUAL, other);
        for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
            addresses(load.base(), load.offset(), load.bytes(), chunk);
            code.jumpIf(Bits.ANY, CHECK, other);
        }
        requireInOrder(Integer.SIZE, load.bytes(), other);
        note(load, full);
        code.storeConstant(Operand.at(LOW, WarpContext.ROW_NOTE_LANES), -1);
        for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
            span(chunk, load.bytes(), 0);
        }
        noted();
    }

    /// Notes what some lanes load whose addresses are found.
    ///
    /// @param lanes the mask register with them
    /// @param full where to go if there is no room
    void note(MemoryEmitter.Plain load, int lanes, Label full) {
        note(load, full);
        code.maskTo(HIGH, lanes);
        code.store(Operand.at(LOW, WarpContext.ROW_NOTE_LANES), HIGH);
        for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
            code.maskShiftRight(CHECK, lanes, 16 * chunk);
            span(chunk, load.bytes(), CHECK);
        }
        noted();
    }

    private void note(MemoryEmitter.Plain load, Label full) {
        int site = load.step().site().number();
        note(WarpValues.chunks(Width.WORD), PlannedReads.consecutive(load.bytes(), site), full);
    }

    /// Finds the addresses of rows.
    ///
    /// @param java where to go if Java is to load them
    void address(Collective.AccessMatrix access, Label java) {
        code.arithmetic(Arithmetic.CMP, Operand.register(WarpValues.ACTIVE), -1);
        code.jump(Condition.NOT_EQUAL, java);
        for (int chunk = 0; chunk < chunks(access); chunk++) {
            addresses(access, chunk, java);
        }
    }

    private static int chunks(Collective.AccessMatrix access) {
        return Math.ceilDiv(ROWS * access.registers(), 16);
    }

    private static Operand addresses(int chunk) {
        return context(WarpContext.ADDRESSES + 64 * chunk);
    }

    /// With checks, goes elsewhere unless all words of the rows were last written in order with
    /// the warp.
    void requireInOrder(Collective.AccessMatrix access, Label other) {
        if (checking != Checking.NONE) {
            requireInOrder(ROWS * access.registers(), ROW_BYTES, other);
        }
    }

    /// @param rows whose addresses are found
    /// @param bytes of each
    private void requireInOrder(int rows, int bytes, Label other) {
        code.moveLong(STAMPS, context(WarpContext.STAMPS));
        code.testLong(STAMPS, STAMPS);
        code.jump(Condition.EQUAL, other);
        code.moveConstant(LOW, (1 << bytes / Integer.BYTES) - 1);
        code.maskFrom(OverEmitter.WORDS, LOW);
        over.require(
                WarpValues.FIRST, WarpValues.RESULT, LOW, other, stamps -> stamps(rows, stamps));
    }

    private void stamps(int rows, Consumer<Operand> stamps) {
        for (int row = 0; row < rows; row++) {
            code.move(POINTER, context(WarpContext.ADDRESSES + Integer.BYTES * row));
            code.arithmeticLong(Arithmetic.ADD, POINTER, Operand.register(POINTER));
            code.arithmeticLong(Arithmetic.ADD, POINTER, Operand.register(STAMPS));
            stamps.accept(Operand.at(POINTER, 0));
        }
    }

    /// Loads rows whose addresses are found.
    ///
    /// @param java where to go if there is no room for a note
    void emit(Exit.Synchronize exit, Collective.AccessMatrix access, Label java) {
        if (checking != Checking.NONE) {
            note(chunks(access), PlannedReads.consecutive(ROW_BYTES, exit.site().number()), java);
            int lanes = -1 >>> Integer.SIZE - ROWS * access.registers();
            code.storeConstant(Operand.at(LOW, WarpContext.ROW_NOTE_LANES), lanes);
            if (access.registers() == 1) {
                code.moveConstant(HIGH, lanes);
                code.maskFrom(CHECK, HIGH);
            }
            for (int chunk = 0; chunk < chunks(access); chunk++) {
                span(chunk, ROW_BYTES, access.registers() == 1 ? CHECK : 0);
            }
            noted();
        }
        code.moveLong(SHARED, context(WarpContext.SHARED));
        RowFragments fragments = access.layout();
        for (int i = 0; i < access.registers(); i++) {
            Register target = access.targets().get(i);
            for (int row = 0; row < ROWS; row++) {
                row(target, row, WarpContext.ADDRESSES + Integer.BYTES * (ROWS * i + row));
            }
            if (!fragments.isWhole()) {
                pair(target, fragments);
            }
            takeHome(target);
        }
    }

    /// Begins a note.
    private void note(int chunks, PlannedReads plan, Label full) {
        code.moveLong(LOW, context(WarpContext.ROW_NOTE_AT));
        code.arithmeticLong(Arithmetic.CMP, LOW, context(WarpContext.ROW_NOTES_END));
        code.jump(Condition.ABOVE_OR_EQUAL, full);
        for (int chunk = 0; chunk < chunks; chunk++) {
            code.vector(Evex.VMOVDQU32, WarpValues.FOURTH, 0, addresses(chunk));
            code.vector(Evex.VMOVDQU32_STORE, WarpValues.FOURTH, 0, Operand.at(LOW, 64 * chunk));
        }
        code.storeConstant(Operand.at(LOW, WarpContext.ROW_NOTE_NUMBER), reads.size());
        reads.add(plan);
    }

    /// The bytes of rows are among those that were read.
    ///
    /// @param bytes of each
    /// @param rows the mask register with those of a chunk, or 0 for all
    private void span(int chunk, int bytes, int rows) {
        int first = WarpValues.FOURTH;
        int last = WarpValues.THIRD;
        Operand firsts = context(WarpContext.ROWS_FIRST);
        Operand lasts = context(WarpContext.ROWS_LAST);
        code.vector(Evex.VMOVDQU32, last, 0, addresses(chunk));
        code.vector(Evex.VMOVDQU32, first, 0, firsts);
        code.vectorWhere(Evex.VPMINUD, rows, first, first, Operand.register(last));
        code.vector(Evex.VMOVDQU32_STORE, first, 0, firsts);
        code.vector(Evex.VPADDD, last, last, code.word(bytes - 1));
        code.vector(Evex.VMOVDQU32, first, 0, lasts);
        code.vectorWhere(Evex.VPMAXUD, rows, first, first, Operand.register(last));
        code.vector(Evex.VMOVDQU32_STORE, first, 0, lasts);
    }

    /// A note is complete.
    private void noted() {
        code.arithmeticLong(Arithmetic.ADD, LOW, WarpContext.ROW_NOTE_BYTES);
        code.storeLong(context(WarpContext.ROW_NOTE_AT), LOW);
    }

    /// The addresses of sixteen rows, if all are inside and aligned.
    private void addresses(Collective.AccessMatrix access, int chunk, Label java) {
        addresses(access.base(), (int) access.offset(), ROW_BYTES, chunk);
        if (access.registers() == 1) {
            code.moveConstant(LOW, (1 << ROWS) - 1);
            code.maskFrom(SPARE, LOW);
            code.mask(MaskOperation.KANDW, CHECK, CHECK, SPARE);
        }
        code.jumpIf(Bits.ANY, CHECK, java);
    }

    /// Keeps the addresses of sixteen rows, and finds those that are not inside or not aligned.
    private void addresses(Source from, int offset, int bytes, int chunk) {
        int at = WarpValues.FOURTH;
        int base = values.load(from, chunk, at);
        code.vector(Evex.VPADDD, at, base, code.word(offset));
        Operand last = Operand.all(WarpValues.CONTEXT, WarpContext.lastShared(bytes));
        code.vector(Evex.VPCMPUD, CHECK, at, last, GREATER);
        code.vector(Evex.VPTESTMD, SPARE, at, code.word(bytes - 1));
        code.mask(MaskOperation.KORW, CHECK, CHECK, SPARE);
        code.vector(Evex.VMOVDQU32_STORE, at, 0, addresses(chunk));
    }

    private void row(Register target, int row, int address) {
        code.move(POINTER, context(address));
        code.arithmeticLong(Arithmetic.ADD, POINTER, Operand.register(SHARED));
        code.moveLong(LOW, Operand.at(POINTER, 0));
        code.moveLong(HIGH, Operand.at(POINTER, Long.BYTES));
        int at = ROW_BYTES * ROWS * target.index() + ROW_BYTES * row;
        code.storeLong(Operand.at(WarpValues.WORDS, at), LOW);
        code.storeLong(Operand.at(WarpValues.WORDS, at + Long.BYTES), HIGH);
    }

    /// Eight rows become columns across the lanes, two elements of one in each.
    private void pair(Register target, RowFragments fragments) {
        int first = WarpValues.FIRST;
        int second = WarpValues.SECOND;
        code.vector(Evex.VMOVDQU32, first, 0, WarpValues.inFrame(target, 0));
        code.vector(Evex.VMOVDQU32, second, 0, WarpValues.inFrame(target, 1));
        for (int chunk = 0; chunk < 2; chunk++) {
            int made = WarpValues.RESULT;
            code.vector(Evex.VMOVDQU32, made, 0, code.steps(pairs(fragments, 16 * chunk)));
            code.vector(Evex.VPERMI2W, made, first, Operand.register(second));
            code.vector(Evex.VMOVDQU32_STORE, made, 0, WarpValues.inFrame(target, chunk));
        }
    }

    /// Which elements of eight rows sixteen lanes get, two in a word.
    private static int[] pairs(RowFragments fragments, int firstLane) {
        int[] words = new int[16];
        for (int i = 0; i < words.length; i++) {
            int lane = firstLane + i;
            words[i] = place(fragments, lane, 0) | place(fragments, lane, 1) << 16;
        }
        return words;
    }

    /// Where an element of a lane is among those of eight rows.
    private static int place(RowFragments fragments, int lane, int index) {
        return COLUMNS * fragments.row(0, lane, index) + fragments.column(0, lane, index);
    }

    private void takeHome(Register target) {
        for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
            int home = values.home(target, chunk);
            if (home >= 0) {
                code.vector(Evex.VMOVDQU32, home, 0, WarpValues.inFrame(target, chunk));
            }
        }
    }
}
