package dev.heddle.vm.compiler;

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
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.shadow.Stamp;

import java.util.List;
import java.util.function.Consumer;

/// What all lanes of a warp that runs by itself write to shared memory, each where it goes: where
/// that is, and with checks whether it is in order at first sight.
///
/// It is where the last write and read of its words are over for the warp. All else leads to Java;
/// a store that is stamped in part is stamped again there, the same way.
///
/// @param later takes code that is to stand behind everything else
record SharedStampEmitter(WarpValues values, Assembler code, Consumer<Runnable> later) {
    /// Where the addresses of lanes stand, as the host has them.
    static final int DESTINATIONS = WarpContext.ADDRESSES + 32 * Long.BYTES;

    static final int LANES_BYTES = 32 * Long.BYTES;

    /// The mask register with the words of a lane, or of lanes that are looked at together.
    static final int WORDS = 6;

    // Stamps of words.
    private static final int WRITTEN = WarpValues.THIRD;
    private static final int READ = WarpValues.FOURTH;

    private static final int CHECK = 5;
    private static final int VECTOR = 64;

    // General registers: a place, two lists, and the lane.
    private static final int POINTER = Assembler.RAX;
    private static final int LOW = Assembler.RBP;
    private static final int HIGH = Assembler.R13;
    static final int LANE = Assembler.R14;

    SharedStampEmitter(WarpValues values, Consumer<Runnable> later) {
        this(values, values.code, later);
    }

    /// Whether a store is known here: of all lanes that run.
    static boolean knows(MemoryEmitter.Plain plain) {
        return plain.store()
                && !plain.global()
                && plain.step().guard() == null
                && plain.bytes() >= Integer.BYTES
                && plain.base().width() == Width.WORD;
    }

    /// Finds where lanes go.
    ///
    /// @param java where to go if some lane's place is out of bounds or not aligned
    void find(Source base, int offset, int bytes, Label java) {
        for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
            int at = WarpValues.FOURTH;
            int address = values.load(base, chunk, at);
            code.vector(Evex.VPADDD, at, address, code.word(offset));
            Operand last = all(WarpContext.lastShared(bytes));
            code.vector(Evex.VPCMPUD, CHECK, at, last, GREATER);
            code.jumpIf(Bits.ANY, CHECK, java);
            code.vector(Evex.VPTESTMD, CHECK, at, code.word(bytes - 1));
            code.jumpIf(Bits.ANY, CHECK, java);
            int wide = WarpValues.THIRD;
            code.vector(Evex.VPMOVZXDQ, wide, 0, Operand.register(at));
            keep(wide, 2 * chunk);
            code.vector(Evex.VEXTRACTI64X4, at, 0, Operand.register(WarpValues.SECOND), 1);
            code.vector(Evex.VPMOVZXDQ, wide, 0, Operand.register(WarpValues.SECOND));
            keep(wide, 2 * chunk + 1);
        }
    }

    private void keep(int offsets, int chunk) {
        code.vector(Evex.VPADDQ, offsets, offsets, all(WarpContext.SHARED));
        code.vector(Evex.VMOVDQU64_STORE, offsets, 0, context(DESTINATIONS + VECTOR * chunk));
    }

    private static Operand all(int place) {
        return Operand.all(CONTEXT, place);
    }

    /// Leaves to Java what touches words that were read where that may not be over, or words of
    /// strong operations.
    ///
    /// @param noted where to go if Java has to take the notes of what was read first
    void requireUnread(Label java, Label noted) {
        requireNoNotes(code, noted);
        for (int i = 0; i < LANES_BYTES; i += VECTOR) {
            int at = WarpValues.FOURTH;
            code.vector(Evex.VMOVDQU64, at, 0, context(DESTINATIONS + i));
            requireOutside(at, WarpContext.READ_START, WarpContext.READ_SPAN, java);
            requireOutside(at, WarpContext.STRONG_START, WarpContext.STRONG_SPAN, java);
        }
    }

    /// Java must know of all reads before something is stored.
    ///
    /// @param noted where to go if there are notes of some
    static void requireNoNotes(Assembler code, Label noted) {
        code.address(POINTER, context(WarpContext.NOTES));
        code.arithmeticLong(Arithmetic.CMP, POINTER, context(WarpContext.NOTE_AT));
        code.jump(Condition.NOT_EQUAL, noted);
        code.address(POINTER, context(WarpContext.ROW_NOTES));
        code.arithmeticLong(Arithmetic.CMP, POINTER, context(WarpContext.ROW_NOTE_AT));
        code.jump(Condition.NOT_EQUAL, noted);
    }

    private void requireOutside(int places, int start, int span, Label java) {
        int from = WarpValues.THIRD;
        code.vector(Evex.VPSUBQ, from, places, all(start));
        code.vector(Evex.VPCMPUQ, CHECK, from, all(span), LESS);
        code.jumpIf(Bits.ANY, CHECK, java);
    }

    /// Looks at a store, and stamps it.
    ///
    /// @param java where to go if it is not in order at first sight
    /// @param noted where to go if Java has to take the notes of what was read first
    void look(MemoryEmitter.Plain store, Label java, Label noted) {
        code.moveLong(POINTER, context(WarpContext.STORES));
        code.testLong(POINTER, POINTER);
        code.jump(Condition.EQUAL, java);
        code.arithmetic(Arithmetic.CMP, Operand.register(WarpValues.ACTIVE), -1);
        code.jump(Condition.NOT_EQUAL, java);
        find(store.base(), store.offset(), store.bytes(), java);
        requireUnread(java, noted);
        group(store.bytes());
        int own = WarpValues.FIRST;
        int nobody = WarpValues.SECOND;
        code.vector(Evex.VPBROADCASTQ, own, 0, all(WarpContext.NOW));
        long site = Stamp.of(0, store.step().site().number(), Stamp.WEAK, 0);
        code.vector(Evex.VPADDQ, own, own, lanesOfWords(site, store.bytes()));
        code.vector(Evex.VPXORD, nobody, nobody, Operand.register(nobody));
        Label next = firstLane();
        addressOfLane();
        requireOver(java);
        put(own, WarpContext.STAMPS_FROM);
        put(nobody, WarpContext.READS_FROM);
        code.vector(Evex.VPADDQ, own, own, all(WarpContext.STEP_LANES));
        nextLane(next);
    }

    /// Where lanes whose words fill a vector go one behind the other, they are looked at together;
    /// else each by itself.
    void group(int bytes) {
        Label set = new Label();
        int apart = WarpValues.THIRD;
        code.vector(Evex.VPXORD, apart, apart, Operand.register(apart));
        for (int i = 0; i < LANES_BYTES; i += VECTOR) {
            int at = WarpValues.FOURTH;
            code.vector(Evex.VMOVDQU64, at, 0, context(DESTINATIONS + i + Long.BYTES));
            code.vector(Evex.VPSUBQ, at, at, context(DESTINATIONS + i));
            code.vector(Evex.VPXORQ, at, at, code.longword(bytes));
            code.vector(Evex.VPORQ, apart, apart, Operand.register(at));
        }
        code.vector(Evex.VPTESTMQ, CHECK, apart, Operand.register(apart));
        code.maskTo(HIGH, CHECK);
        for (int lanes = VECTOR / 2 / bytes; lanes > 1; lanes /= 2) {
            Label fewer = new Label();
            code.testConstant(HIGH, joined(lanes));
            code.jump(Condition.NOT_EQUAL, fewer);
            step(lanes, bytes);
            code.jump(set);
            code.bind(fewer);
        }
        step(1, bytes);
        code.bind(set);
    }

    /// Of eight lanes, those behind which the next one goes on, where so many are together.
    private static int joined(int lanes) {
        int joined = 0;
        for (int lane = 0; lane < VECTOR / Long.BYTES; lane++) {
            joined |= lane % lanes == lanes - 1 ? 0 : 1 << lane;
        }
        return joined;
    }

    private void step(int lanes, int bytes) {
        code.moveConstant(LOW, (1 << lanes * bytes / Integer.BYTES) - 1);
        code.maskFrom(WORDS, LOW);
        code.moveConstant(LOW, lanes);
        code.storeLong(context(WarpContext.STEP_LANES), LOW);
        code.moveConstant(LOW, lanes * Long.BYTES);
        code.storeLong(context(WarpContext.STEP), LOW);
    }

    /// The lanes of words, from the first of some lanes on, added to a stamp.
    Operand lanesOfWords(long stamp, int bytes) {
        long[] lanes = new long[VECTOR / Long.BYTES];
        for (int word = 0; word < lanes.length; word++) {
            lanes[word] = stamp + word * Integer.BYTES / bytes;
        }
        return code.steps(lanes);
    }

    /// Goes through the lanes: [#nextLane] comes back behind this.
    Label firstLane() {
        Label next = new Label();
        code.moveLong(LANE, Operand.register(CONTEXT));
        code.bind(next);
        return next;
    }

    void nextLane(Label next) {
        code.arithmeticLong(Arithmetic.ADD, LANE, context(WarpContext.STEP));
        code.address(POINTER, context(LANES_BYTES));
        code.arithmeticLong(Arithmetic.CMP, LANE, Operand.register(POINTER));
        code.jump(Condition.NOT_EQUAL, next);
    }

    /// Finds twice the address of a lane's words, which leads to their stamps ([#list]).
    void addressOfLane() {
        code.moveLong(POINTER, Operand.at(LANE, DESTINATIONS));
        code.arithmeticLong(Arithmetic.ADD, POINTER, Operand.register(POINTER));
    }

    /// The last write and read of the lane's words must be over; of an asynchronous write as
    /// [OverEmitter] says.
    private void requireOver(Label java) {
        Label async = new Label();
        Label over = new Label();
        list(LOW, WarpContext.STAMPS_FROM);
        list(HIGH, WarpContext.READS_FROM);
        stamps();
        latest(WarpContext.OVER, async);
        code.bind(over);
        later.accept(
                () -> {
                    code.bind(async);
                    latest(WarpContext.ASYNC_OVER, java);
                    stamps();
                    for (int stamps : List.of(WRITTEN, READ)) {
                        code.vector(Evex.VPSUBQ, stamps, stamps, code.longword(Stamp.ASYNC));
                    }
                    latest(WarpContext.TURNED_OVER, java);
                    code.jump(over);
                });
    }

    private void stamps() {
        code.vector(Evex.VMOVDQU64, WRITTEN, 0, Operand.at(LOW, 0), WORDS, true, -1);
        code.vector(Evex.VMOVDQU64, READ, 0, Operand.at(HIGH, 0), WORDS, true, -1);
    }

    /// Goes elsewhere if the later ones of two vectors are not all over.
    private void latest(int limit, Label other) {
        code.vector(Evex.VPMAXUQ, READ, READ, Operand.register(WRITTEN));
        code.vector(Evex.VPCMPUQ, CHECK, READ, all(limit), GREATER);
        code.jumpIf(Bits.ANY, CHECK, other);
    }

    /// Finds where what a list has of a lane's words begins.
    ///
    /// @param from where the list stands, less the address of shared memory as that of the lane is
    ///     taken
    void list(int target, int from) {
        code.moveLong(target, context(from));
        code.arithmeticLong(Arithmetic.ADD, target, Operand.register(POINTER));
    }

    /// Stores into a list, for the words of the lane.
    private void put(int vector, int list) {
        list(HIGH, list);
        code.vectorWhere(Evex.VMOVDQU64_STORE, WORDS, vector, 0, Operand.at(HIGH, 0));
    }
}
