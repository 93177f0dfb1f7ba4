package dev.heddle.vm.compiler;

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
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Width;

/// `ldmatrix` in machine code, where nothing but bounds is checked: a register of a warp has the
/// bytes of eight rows, in their order or by pairs of rows. Rows that are out of bounds or not
/// aligned are left to Java.
final class RowEmitter {
    private static final int CHECK = 5;
    private static final int SPARE = 6;
    private static final int GREATER = 6;
    private static final int ROWS = 8;
    private static final int ROW_BYTES = 16;

    /// Columns of a matrix of 16-bit elements.
    private static final int COLUMNS = 8;

    private static final int SHARED = Assembler.R14;
    private static final int POINTER = Assembler.RAX;
    private static final int LOW = Assembler.RBP;
    private static final int HIGH = Assembler.R13;

    private final WarpValues values;
    private final Assembler code;

    RowEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    /// Whether a load is known here.
    static boolean knows(Exit.Synchronize exit) {
        return exit.guard() == null
                && exit.joint() instanceof Collective.AccessMatrix access
                && access.kind() == AccessKind.LOAD
                && access.space() == Space.SHARED
                && access.layout() instanceof RowFragments rows
                && (rows.isWhole() || rows.isOfPairs() && Assembler.has(Evex.VPERMI2W))
                && access.base() instanceof Register base
                && base.width() == Width.WORD
                && Math.abs(access.offset()) < 1 << 24;
    }

    /// Emits a load.
    ///
    /// @param java where to go if Java is to do it
    void emit(Collective.AccessMatrix access, Label java) {
        int rows = ROWS * access.registers();
        code.arithmetic(Arithmetic.CMP, Operand.register(WarpValues.ACTIVE), -1);
        code.jump(Condition.NOT_EQUAL, java);
        for (int chunk = 0; 16 * chunk < rows; chunk++) {
            addresses(access, chunk, Math.min(16, rows), java);
        }
        code.moveLong(SHARED, context(WarpContext.SHARED));
        boolean isWhole = access.layout() instanceof RowFragments each && each.isWhole();
        for (int i = 0; i < access.registers(); i++) {
            Register target = access.targets().get(i);
            for (int row = 0; row < ROWS; row++) {
                row(target, row, WarpContext.ADDRESSES + Integer.BYTES * (ROWS * i + row));
            }
            if (!isWhole) {
                pair(target);
            }
            takeHome(target);
        }
    }

    /// The addresses of so many rows, if all are inside and aligned.
    private void addresses(Collective.AccessMatrix access, int chunk, int rows, Label java) {
        int at = WarpValues.FOURTH;
        int base = values.load(access.base(), chunk, at);
        code.vector(Evex.VPADDD, at, base, code.word((int) access.offset()));
        Operand last = Operand.all(WarpValues.CONTEXT, WarpContext.LAST_SHARED + 8);
        code.vector(Evex.VPCMPUD, CHECK, at, last, GREATER);
        leaveIfAny(rows, java);
        code.vector(Evex.VPTESTMD, CHECK, at, code.word(ROW_BYTES - 1));
        leaveIfAny(rows, java);
        Operand kept = context(WarpContext.ADDRESSES + 64 * chunk);
        code.vector(Evex.VMOVDQU32_STORE, at, 0, kept);
    }

    private void leaveIfAny(int rows, Label java) {
        if (rows < 16) {
            code.moveConstant(LOW, (1 << rows) - 1);
            code.maskFrom(SPARE, LOW);
            code.mask(MaskOperation.KANDW, CHECK, CHECK, SPARE);
        }
        code.jumpIf(Bits.ANY, CHECK, java);
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
    private void pair(Register target) {
        int first = WarpValues.FIRST;
        int second = WarpValues.SECOND;
        code.vector(Evex.VMOVDQU32, first, 0, WarpValues.inFrame(target, 0));
        code.vector(Evex.VMOVDQU32, second, 0, WarpValues.inFrame(target, 1));
        for (int chunk = 0; chunk < 2; chunk++) {
            int made = WarpValues.RESULT;
            code.vector(Evex.VMOVDQU32, made, 0, code.steps(pairs(16 * chunk)));
            code.vector(Evex.VPERMI2W, made, first, Operand.register(second));
            code.vector(Evex.VMOVDQU32_STORE, made, 0, WarpValues.inFrame(target, chunk));
        }
    }

    /// Which elements of eight rows sixteen lanes get, two in a word.
    private static int[] pairs(int firstLane) {
        int[] words = new int[16];
        for (int i = 0; i < words.length; i++) {
            int lane = firstLane + i;
            int low = lane % 4 * 2 * COLUMNS + lane / 4;
            words[i] = low | low + COLUMNS << 16;
        }
        return words;
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
