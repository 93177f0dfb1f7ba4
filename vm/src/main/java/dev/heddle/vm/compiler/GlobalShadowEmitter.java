package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.EQUAL;
import static dev.heddle.tensorcore.x86.Assembler.LESS;
import static dev.heddle.tensorcore.x86.Assembler.NOT_EQUAL;
import static dev.heddle.vm.compiler.WarpValues.CTA;
import static dev.heddle.vm.compiler.WarpValues.context;
import static dev.heddle.vm.compiler.WarpValues.cta;
import static dev.heddle.vm.compiler.WarpValues.cta64;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Assembler.MaskOperation;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.shadow.GlobalStamp;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Looks at the shadow of global memory in machine code, as [ShadowEmitter] says: whole warps whose
/// words stand one behind the other, by sectors.
final class GlobalShadowEmitter {
    private static final int AT = Assembler.R13;
    private static final int LOCK = Assembler.R14;
    private static final int SPARE = Assembler.RBP;

    /// Lanes of half a warp, and the bytes of their words.
    private static final int HALF = 16;

    private static final int HALF_BYTES = HALF * Integer.BYTES;
    private static final long HALF_OF_LANES = HALF * GlobalStamp.ONE_LANE;

    private static final int SECTOR = GlobalStamp.SECTOR;

    /// From bytes to the stamp of their sector.
    static final int SECTOR_SHIFT = 2;

    /// Bytes of the stamps of a page, which has one lock.
    private static final int PAGE_STAMPS = (1 << GlobalStamp.PAGE_BITS) / SECTOR * Long.BYTES;

    /// From bytes to their page, of which each has four bytes of a lock.
    static final int LOCK_SHIFT = GlobalStamp.PAGE_BITS - 2;
    private static final int SECTORS_OF_HALF = HALF_BYTES / SECTOR;
    private static final int ALL_SECTORS = (1 << SECTORS_OF_HALF) - 1;

    /// The marks of four bytes that are written.
    static final int WRITTEN_MARKS = 0x0101_0101;

    private final Assembler code;
    private final Consumer<Runnable> later;
    private final List<MemoryEmitter.Plain> accesses = new ArrayList<>();

    /// @param later takes code that is to stand behind everything else
    GlobalShadowEmitter(Assembler code, Consumer<Runnable> later) {
        this.code = code;
        this.later = later;
    }

    /// The accesses, by their place in [CtaContext#access].
    List<MemoryEmitter.Plain> accesses() {
        return accesses;
    }

    /// Looks at an access of words one behind the other: inside the buffer that the access met
    /// last, written, and of sectors whose last access is in order.
    ///
    /// @param unknown where to go if that is not so
    void look(AddressPlan plan, MemoryEmitter.Plain plain, Label unknown) {
        int access = CtaContext.access(accesses.size());
        accesses.add(plain);
        code.moveLong(CTA, context(WarpContext.CTA));
        for (int half = 0; half < 2; half++) {
            code.moveLong(AT, plan.pointer(half));
            code.arithmeticLong(Arithmetic.ADD, AT, plain.offset());
            code.arithmeticLong(Arithmetic.CMP, AT, cta(access + CtaContext.BUFFER_FROM));
            code.jump(Condition.BELOW, unknown);
            code.arithmeticLong(Arithmetic.CMP, AT, cta(access + CtaContext.BUFFER_LAST));
            code.jump(Condition.ABOVE, unknown);
            code.testConstant(AT, SECTOR - 1);
            code.jump(Condition.NOT_EQUAL, unknown);
            if (!plain.store()) {
                code.arithmeticLong(Arithmetic.ADD, AT, cta(CtaContext.MARKS));
                code.vector(Evex.VMOVDQU32, WarpValues.THIRD, 0, Operand.at(AT, 0));
                Operand written = code.word(WRITTEN_MARKS);
                code.vector(Evex.VPCMPUD, 5, WarpValues.THIRD, written, NOT_EQUAL);
                code.jumpIf(Bits.ANY, 5, unknown);
            }
        }
        code.vector(Evex.VPBROADCASTQ, WarpValues.FIRST, 0, cta64(CtaContext.GLOBAL_NOW));
        or(WarpValues.FIRST, Operand.all(WarpValues.CONTEXT, WarpContext.GLOBAL_THREADS));
        or(WarpValues.FIRST, cta64(access + CtaContext.STAMP));
        for (int half = 0; half < 2; half++) {
            sectors(plan, plain, half, unknown);
        }
        if (plain.store()) {
            code.vector(Evex.VPBROADCASTD, WarpValues.THIRD, 0, code.word(WRITTEN_MARKS));
            for (int half = 0; half < 2; half++) {
                code.moveLong(AT, plan.pointer(half));
                code.arithmeticLong(Arithmetic.ADD, AT, cta(CtaContext.MARKS));
                Operand marks = Operand.at(AT, plain.offset());
                code.vector(Evex.VMOVDQU32_STORE, WarpValues.THIRD, 0, marks);
            }
        }
    }

    private void or(int target, Operand other) {
        code.vector(Evex.VPORQ, target, target, other);
    }

    /// Stamps the sectors of half a warp. Where those of the first half are stamped and those of
    /// the second are not in order, Java stamps the first again, the same way.
    private void sectors(AddressPlan plan, MemoryEmitter.Plain plain, int half, Label unknown) {
        int old = WarpValues.THIRD;
        int own = WarpValues.FOURTH;
        Label used = new Label();
        Label settled = new Label();
        Label done = new Label();
        Label shared = new Label();
        code.moveLong(AT, plan.pointer(half));
        code.arithmeticLong(Arithmetic.ADD, AT, plain.offset());
        code.arithmeticLong(Arithmetic.SUB, AT, context(WarpContext.GLOBAL));
        code.moveLong(LOCK, Operand.register(AT));
        code.shiftRightLong(LOCK, LOCK_SHIFT);
        code.arithmeticLong(Arithmetic.AND, LOCK, -Integer.BYTES);
        code.arithmeticLong(Arithmetic.ADD, LOCK, cta(CtaContext.LOCKS));
        code.shiftRightLong(AT, SECTOR_SHIFT);
        code.arithmeticLong(Arithmetic.ADD, AT, cta(CtaContext.SECTORS));
        Operand first = code.steps(lanes(half));
        code.vector(Evex.VPADDQ, own, WarpValues.FIRST, first);
        code.moveConstant(SPARE, ALL_SECTORS);
        code.maskFrom(6, SPARE);
        code.vector(Evex.VMOVDQU64, old, 0, Operand.at(AT, 0), 6, true, -1);
        code.vector(Evex.VPTESTMQ, 5, old, Operand.register(old));
        code.jumpIf(Bits.ANY, 5, used);
        code.bind(settled);
        code.moveLong(SPARE, cta(CtaContext.LOCKS));
        code.testLong(SPARE, SPARE);
        code.jump(Condition.NOT_EQUAL, shared);
        code.vectorWhere(Evex.VMOVDQU64_STORE, 6, own, 0, Operand.at(AT, 0));
        code.bind(done);
        later.accept(
                () -> {
                    code.bind(used);
                    replaceable(plain.store());
                    code.mask(MaskOperation.KANDW, 5, 5, 6);
                    code.mask(MaskOperation.KORW, 7, 7, 5);
                    code.mask(MaskOperation.KANDW, 7, 7, 6);
                    code.maskTo(SPARE, 7);
                    code.arithmetic(Arithmetic.CMP, Operand.register(SPARE), ALL_SECTORS);
                    code.jump(Condition.NOT_EQUAL, unknown);
                    code.mask(MaskOperation.KANDW, 6, 5, 5);
                    code.jumpIf(Bits.NONE, 6, done);
                    code.jump(settled);
                    code.bind(shared);
                    settleShared(unknown);
                    code.jump(done);
                });
    }

    /// Stamps sectors that other workers look at, too, if they still are what they were. Where
    /// somebody holds the lock, Java waits; it also takes what is of two pages.
    private void settleShared(Label unknown) {
        Label changed = new Label();
        Operand sectors = Operand.at(AT, 0);
        code.move(SPARE, Operand.register(AT));
        code.arithmetic(Arithmetic.AND, Operand.register(SPARE), PAGE_STAMPS - 1);
        int last = PAGE_STAMPS - SECTORS_OF_HALF * Long.BYTES;
        code.arithmetic(Arithmetic.CMP, Operand.register(SPARE), last);
        code.jump(Condition.ABOVE, unknown);
        code.moveConstant(SPARE, 1);
        code.exchange(Operand.at(LOCK, 0), SPARE);
        code.test(SPARE, SPARE);
        code.jump(Condition.NOT_EQUAL, unknown);
        code.vector(Evex.VMOVDQU64, WarpValues.RESULT, 0, sectors, 6, true, -1);
        Operand now = Operand.register(WarpValues.RESULT);
        code.vector(Evex.VPCMPUQ, 7, WarpValues.THIRD, now, 6, false, NOT_EQUAL);
        code.jumpIf(Bits.ANY, 7, changed);
        code.vectorWhere(Evex.VMOVDQU64_STORE, 6, WarpValues.FOURTH, 0, sectors);
        code.storeConstant(Operand.at(LOCK, 0), 0);
        later.accept(
                () -> {
                    code.bind(changed);
                    code.storeConstant(Operand.at(LOCK, 0), 0);
                    code.jump(unknown);
                });
    }

    /// The first lane of each sector of half a warp, as in stamps.
    private static long[] lanes(int half) {
        long[] lanes = new long[8];
        for (int i = 0; i < SECTORS_OF_HALF; i++) {
            lanes[i] = half * HALF_OF_LANES + i * (SECTOR / Integer.BYTES * GlobalStamp.ONE_LANE);
        }
        return lanes;
    }

    /// Leaves in mask register 5 the sectors whose last access this one may replace, in 7 those
    /// that stay as they are: of several CTAs that all read. Sets mask register 6 again.
    private void replaceable(boolean store) {
        int old = WarpValues.THIRD;
        int own = WarpValues.FOURTH;
        int spare = WarpValues.RESULT;
        int other = WarpValues.SECOND;
        Operand differences = cta64(CtaContext.THREADS_MASK);
        code.vector(Evex.VPXORQ, spare, old, Operand.register(own));
        code.vector(Evex.VPTESTNMQ, 5, spare, differences);
        code.vector(Evex.VPTESTNMQ, 7, spare, cta64(CtaContext.CTA_MASK));
        code.vector(Evex.VPANDQ, spare, old, cta64(CtaContext.CLOCK_MASK));
        code.vector(Evex.VPANDQ, other, own, cta64(CtaContext.CLOCK_MASK));
        code.vector(Evex.VPCMPUQ, 7, spare, Operand.register(other), 7, false, LESS);
        code.mask(MaskOperation.KORW, 5, 5, 7);
        code.vector(Evex.VPANDQ, spare, old, code.longword(GlobalStamp.STATES));
        state(7, spare, GlobalStamp.READ_STATE);
        if (store) {
            state(6, spare, GlobalStamp.WRITTEN_STATE);
            code.mask(MaskOperation.KORW, 7, 7, 6);
        }
        code.mask(MaskOperation.KANDW, 5, 5, 7);
        // What a copy reads may go on.
        code.vector(Evex.VPTESTNMQ, 7, old, code.longword(GlobalStamp.COPIED_KIND));
        code.mask(MaskOperation.KANDW, 5, 5, 7);
        code.vector(Evex.VPTESTNMQ, 7, old, Operand.register(old));
        code.mask(MaskOperation.KORW, 5, 5, 7);
        code.mask(MaskOperation.KANDW, 7, 5, 5);
        if (!store) {
            code.vector(Evex.VPANDQ, spare, old, code.longword(GlobalStamp.CLASSES));
            state(7, spare, GlobalStamp.READ_BY_SEVERAL);
        }
        code.moveConstant(SPARE, ALL_SECTORS);
        code.maskFrom(6, SPARE);
    }

    private void state(int mask, int states, long state) {
        code.vector(Evex.VPCMPUQ, mask, states, code.longword(state), EQUAL);
    }
}
