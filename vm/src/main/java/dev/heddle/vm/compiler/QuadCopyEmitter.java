package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.GREATER;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.vm.compiler.WarpValues.CONTEXT;
import static dev.heddle.vm.compiler.WarpValues.context;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.shadow.CopiesUnderWay;
import dev.heddle.vm.shadow.Stamp;

import java.util.function.Consumer;

/// Looks at what copies of `cp.async` of 16 bytes write, four words of each lane, and lets these
/// ask for a closer look from then on.
///
/// Mostly the lanes of a warp fill a block of memory. Elsewhere two lanes are looked at together,
/// the stamps of each in half of a vector. What one has stored the next one may load, whose words
/// may be the neighbours: a masked vector that reaches over them would wait for it.
///
/// @param later takes code that is to stand behind everything else
record QuadCopyEmitter(Assembler code, Consumer<Runnable> later) {
    private static final int CHECK = 5;

    /// The stamps of two lanes, and of all.
    private static final int VECTOR = 64;

    private static final int BLOCK = 16 * VECTOR;

    private static final int DESTINATIONS = SharedStampEmitter.DESTINATIONS;

    /// Places of a block that may come before that of lane 0.
    private static final int BEFORE = Integer.SIZE - 1;

    /// By how much an address is shifted to count places.
    private static final int TO_PLACE = Integer.numberOfTrailingZeros(CopiesUnderWay.WIDEST);

    // Vectors: the latest stamps of reads and writes, those of writes, and what takes their place.
    private static final int LATEST = WarpValues.RESULT;
    private static final int STAMPS = WarpValues.THIRD;
    private static final int CLOSER = WarpValues.FOURTH;

    // Of asynchronous operations, with less subtracted from each stamp.
    private static final int TURNED = WarpValues.SECOND;
    private static final int ADDED = WarpValues.FIRST;

    // Before these: the bits of all lanes, those of eight, and where they are counted from.
    private static final int SET = WarpValues.RESULT;
    private static final int PLACES = WarpValues.FIRST;
    private static final int FROM = WarpValues.SECOND;
    private static final int ONE = WarpValues.THIRD;

    // General registers: where the stamps of two lanes stand, and from where their addresses do.
    private static final int FIRST = Assembler.RAX;
    private static final int SECOND = Assembler.RBP;
    private static final int LANE = SharedStampEmitter.LANE;

    /// Where the next stamps go that are replaced.
    private static final int REPLACED = Assembler.R13;

    /// Lets the words of all lanes, whose addresses are found, ask for a closer look.
    ///
    /// @param java where to go, with all as it was, if some are not in order at first sight
    void stamp(Label java) {
        Label apart = new Label();
        Label done = new Label();
        code.vector(Evex.VPBROADCASTQ, CLOSER, 0, code.longword(Stamp.LOOK_CLOSER));
        code.moveLong(REPLACED, context(WarpContext.COPY_NOTES_END));
        findBlock(apart);
        block(java);
        code.bind(done);
        later.accept(
                () -> {
                    code.bind(apart);
                    twoByTwo(java);
                    code.jump(done);
                });
    }

    /// Where lanes fill one block of memory, in whichever order, all are looked at together. Finds
    /// the stamps of its words.
    ///
    /// Each lane sets the bit of its place, counted from 31 places before that of lane 0. The lanes
    /// fill a block where 32 bits are set, one behind the other.
    private void findBlock(Label apart) {
        code.vector(Evex.VPBROADCASTQ, FROM, 0, Operand.all(CONTEXT, DESTINATIONS));
        code.vector(Evex.VPSUBQ, FROM, FROM, code.longword(BEFORE * CopiesUnderWay.WIDEST));
        code.vector(Evex.VPBROADCASTQ, ONE, 0, code.longword(1));
        code.vector(Evex.VPXORD, SET, SET, Operand.register(SET));
        for (int i = 0; i < SharedStampEmitter.LANES_BYTES; i += VECTOR) {
            code.vector(Evex.VMOVDQU64, PLACES, 0, context(DESTINATIONS + i));
            code.vector(Evex.VPSUBQ, PLACES, PLACES, Operand.register(FROM));
            code.vector(Evex.VPSLLQ_I, RIGHT, PLACES, Operand.register(PLACES), TO_PLACE);
            code.vector(Evex.VPSLLVQ, PLACES, ONE, Operand.register(PLACES));
            code.vector(Evex.VPORQ, SET, SET, Operand.register(PLACES));
        }
        code.vector(Evex.VMOVDQU64_STORE, SET, 0, Operand.at(REPLACED, 0));
        int set = FIRST;
        int other = LANE;
        code.moveLong(set, Operand.at(REPLACED, 0));
        for (int i = Long.BYTES; i < VECTOR; i += Long.BYTES) {
            code.arithmeticLong(Arithmetic.OR, set, Operand.at(REPLACED, i));
        }
        code.countBitsLong(other, set);
        code.arithmetic(Arithmetic.CMP, Operand.register(other), Integer.SIZE);
        code.jump(Condition.NOT_EQUAL, apart);
        // The bits up to the first that is set; with these, all up to the last.
        int low = SECOND;
        code.address(low, Operand.at(set, -1));
        code.arithmeticLong(Arithmetic.XOR, low, Operand.register(set));
        code.arithmeticLong(Arithmetic.OR, set, Operand.register(low));
        code.address(other, Operand.at(set, 1));
        code.arithmeticLong(Arithmetic.AND, other, Operand.register(set));
        code.jump(Condition.NOT_EQUAL, apart);
        code.countBitsLong(low, low);
        code.multiply(low, low, CopiesUnderWay.WIDEST);
        code.arithmeticLong(Arithmetic.ADD, low, context(DESTINATIONS));
        code.address(FIRST, Operand.at(low, -(BEFORE + 1) * CopiesUnderWay.WIDEST));
        code.arithmeticLong(Arithmetic.ADD, FIRST, Operand.register(FIRST));
        code.moveLong(SECOND, Operand.register(FIRST));
        code.arithmeticLong(Arithmetic.ADD, FIRST, context(WarpContext.STAMPS_FROM));
        code.arithmeticLong(Arithmetic.ADD, SECOND, context(WarpContext.READS_FROM));
    }

    /// Looks at a block, and stamps it.
    private void block(Label java) {
        code.vector(Evex.VPXORD, LATEST, LATEST, Operand.register(LATEST));
        code.vector(Evex.VPXORD, STAMPS, STAMPS, Operand.register(STAMPS));
        for (int i = 0; i < BLOCK; i += VECTOR) {
            code.vector(Evex.VPMAXUQ, LATEST, LATEST, Operand.at(SECOND, i));
            code.vector(Evex.VPMAXUQ, STAMPS, STAMPS, Operand.at(FIRST, i));
        }
        requireOver(java, this::turnBlock);
        for (int i = 0; i < BLOCK; i += VECTOR) {
            code.vector(Evex.VMOVDQU64_STORE, CLOSER, 0, Operand.at(FIRST, i));
        }
    }

    private void turnBlock() {
        code.vector(Evex.VPXORD, LATEST, LATEST, Operand.register(LATEST));
        code.vector(Evex.VPBROADCASTQ, ADDED, 0, code.longword(-Stamp.ASYNC));
        for (int i = 0; i < BLOCK; i += VECTOR) {
            for (int stamps : new int[] {FIRST, SECOND}) {
                code.vector(Evex.VPADDQ, TURNED, ADDED, Operand.at(stamps, i));
                code.vector(Evex.VPMAXUQ, LATEST, LATEST, Operand.register(TURNED));
            }
        }
    }

    /// All that was read and written last must be over, as [OverEmitter] says.
    ///
    /// @param turned finds the stamps once more, with less subtracted from each
    private void requireOver(Label other, Runnable turned) {
        Label async = new Label();
        Label over = new Label();
        code.vector(Evex.VPMAXUQ, LATEST, LATEST, Operand.register(STAMPS));
        jumpIfLater(WarpContext.OVER, async);
        code.bind(over);
        later.accept(
                () -> {
                    code.bind(async);
                    jumpIfLater(WarpContext.ASYNC_OVER, other);
                    turned.run();
                    code.vector(Evex.VPMAXUQ, LATEST, LATEST, Operand.register(TURNED));
                    jumpIfLater(WarpContext.TURNED_OVER, other);
                    code.jump(over);
                });
    }

    private void jumpIfLater(int limit, Label other) {
        code.vector(Evex.VPCMPUQ, CHECK, LATEST, Operand.all(CONTEXT, limit), GREATER);
        code.jumpIf(Bits.ANY, CHECK, other);
    }

    private void twoByTwo(Label java) {
        Label undo = new Label();
        Label next = new Label();
        code.moveLong(LANE, Operand.register(CONTEXT));
        code.bind(next);
        code.moveLong(FIRST, destination(0));
        code.arithmeticLong(Arithmetic.CMP, FIRST, destination(1));
        code.jump(Condition.EQUAL, undo);
        find(WarpContext.READS_FROM);
        load(LATEST);
        find(WarpContext.STAMPS_FROM);
        load(STAMPS);
        requireOver(undo, this::turnTwo);
        code.vector(Evex.VMOVDQU64_STORE, STAMPS, 0, Operand.at(REPLACED, 0));
        store(CLOSER);
        code.arithmeticLong(Arithmetic.ADD, REPLACED, VECTOR);
        code.arithmeticLong(Arithmetic.ADD, LANE, 2 * Long.BYTES);
        code.address(FIRST, context(SharedStampEmitter.LANES_BYTES));
        code.arithmeticLong(Arithmetic.CMP, LANE, Operand.register(FIRST));
        code.jump(Condition.NOT_EQUAL, next);
        later.accept(() -> undo(undo, java));
    }

    private void turnTwo() {
        find(WarpContext.READS_FROM);
        load(LATEST);
        find(WarpContext.STAMPS_FROM);
        code.vector(Evex.VPSUBQ, LATEST, LATEST, code.longword(Stamp.ASYNC));
        code.vector(Evex.VPSUBQ, TURNED, STAMPS, code.longword(Stamp.ASYNC));
    }

    /// Of the two lanes that are looked at.
    private static Operand destination(int lane) {
        return Operand.at(LANE, DESTINATIONS + lane * Long.BYTES);
    }

    /// Finds the stamps of both lanes, whose addresses have been loaded.
    ///
    /// @param list where they stand, less twice the address of shared memory
    private void find(int list) {
        code.moveLong(FIRST, destination(0));
        code.moveLong(SECOND, destination(1));
        code.arithmeticLong(Arithmetic.ADD, FIRST, Operand.register(FIRST));
        code.arithmeticLong(Arithmetic.ADD, SECOND, Operand.register(SECOND));
        code.arithmeticLong(Arithmetic.ADD, FIRST, context(list));
        code.arithmeticLong(Arithmetic.ADD, SECOND, context(list));
    }

    private void load(int vector) {
        code.vector(Evex.VINSERTI64X4, vector, vector, Operand.at(FIRST, 0), 0);
        code.vector(Evex.VINSERTI64X4, vector, vector, Operand.at(SECOND, 0), 1);
    }

    private void store(int vector) {
        code.vector(Evex.VEXTRACTI64X4, vector, 0, Operand.at(FIRST, 0), 0);
        code.vector(Evex.VEXTRACTI64X4, vector, 0, Operand.at(SECOND, 0), 1);
    }

    /// Puts back what was replaced for the lanes before those that are not in order, the last
    /// first.
    private void undo(Label start, Label java) {
        code.bind(start);
        code.arithmeticLong(Arithmetic.CMP, LANE, Operand.register(CONTEXT));
        code.jump(Condition.EQUAL, java);
        code.arithmeticLong(Arithmetic.SUB, LANE, 2 * Long.BYTES);
        code.arithmeticLong(Arithmetic.SUB, REPLACED, VECTOR);
        find(WarpContext.STAMPS_FROM);
        code.vector(Evex.VMOVDQU64, STAMPS, 0, Operand.at(REPLACED, 0));
        store(STAMPS);
        code.jump(start);
    }
}
