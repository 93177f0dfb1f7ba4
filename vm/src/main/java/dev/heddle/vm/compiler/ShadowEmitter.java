package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.NOT_LESS;
import static dev.heddle.vm.compiler.OverEmitter.WORDS;
import static dev.heddle.vm.compiler.WarpValues.CTA;
import static dev.heddle.vm.compiler.WarpValues.context;
import static dev.heddle.vm.compiler.WarpValues.cta;
import static dev.heddle.vm.compiler.WarpValues.cta64;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.shadow.PlannedReads;
import dev.heddle.vm.shadow.Stamp;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/// Looks at shadow memory in machine code: whether the words that a warp is about to access are in
/// order at first sight, as nearly all are; and stamps them.
///
/// It knows whole warps whose words stand one behind the other, or that read one word in each half
/// of a warp. All else, and whatever is not in order, leads to Java before anything is done:
/// [AccessChecks][dev.heddle.vm.sanitizer.AccessChecks] then looks at it as it looks at every
/// access elsewhere. So what is said here only is "in order", never "not".
final class ShadowEmitter {
    private static final int AT = Assembler.R13;
    private static final int OTHER = Assembler.R14;
    private static final int SPARE = Assembler.RBP;

    /// Lanes of half a warp, whose words take four times the bytes.
    private static final int HALF = 16;

    private static final int HALF_BYTES = HALF * Integer.BYTES;

    /// Stamps in a vector.
    private static final int STAMPS = 8;

    private final Assembler code;
    private final Consumer<Runnable> later;
    private final GlobalShadowEmitter global;
    private final List<PlannedReads> reads = new ArrayList<>();

    /// @param later takes code that is to stand behind everything else
    ShadowEmitter(Assembler code, Consumer<Runnable> later) {
        this.code = code;
        this.later = later;
        global = new GlobalShadowEmitter(code, later);
    }

    /// The instructions that a note of reads stands for, by its number.
    List<PlannedReads> reads() {
        return reads;
    }

    /// Accesses to global memory, by their place in [CtaContext#access].
    List<MemoryEmitter.Plain> accesses() {
        return global.accesses();
    }

    /// Whether an access can be looked at here.
    ///
    /// @param kind what its addresses are like
    static boolean knows(MemoryEmitter.Plain plain, int kind) {
        return plain.bytes() == Integer.BYTES
                && (kind == AddressPlan.CONSECUTIVE || !plain.global() && !plain.store());
    }

    /// Looks at one access.
    ///
    /// @param unknown where to go if it is not in order at first sight
    void look(AddressPlan plan, MemoryEmitter.Plain plain, int kind, Label unknown) {
        if (plain.global()) {
            global.look(plan, plain, unknown);
        } else if (plain.store()) {
            store(plan, plain, unknown);
        } else {
            loads(plan, List.of(plain), kind, unknown);
        }
    }

    // Shared memory.

    /// Looks at loads of one plan that follow on one another with no store between them.
    void loads(AddressPlan plan, List<MemoryEmitter.Plain> loads, int kind, Label unknown) {
        int all = WarpValues.FIRST;
        int over = WarpValues.SECOND;
        int latest = WarpValues.RESULT;
        code.moveLong(CTA, context(WarpContext.CTA));
        stampsAt(AT, plan, 0);
        stampsAt(OTHER, plan, 1);
        beginLatest();
        code.vector(Evex.VPBROADCASTQ, over, 0, cta64(CtaContext.NOW));
        code.vector(Evex.VPADDQ, over, over, Operand.register(all));
        Label same = new Label();
        latest(loads, kind, AT);
        code.arithmeticLong(Arithmetic.CMP, AT, Operand.register(OTHER));
        code.jump(Condition.EQUAL, same);
        latest(loads, kind, OTHER);
        code.bind(same);
        code.vector(Evex.VPCMPUQ, 5, latest, Operand.register(over), NOT_LESS);
        code.jumpIf(Bits.ANY, 5, unknown);
        note(plan, loads, kind, unknown);
    }

    /// Looks at loads of half a warp that runs by itself, at constant distances from a place in
    /// shared memory that RAX has. It leaves that and R13 as they are.
    void requireInOrder(List<MemoryEmitter.Plain> loads, int kind, Label unknown) {
        code.moveLong(OTHER, context(WarpContext.STAMPS));
        code.testLong(OTHER, OTHER);
        code.jump(Condition.EQUAL, unknown);
        code.arithmeticLong(Arithmetic.ADD, OTHER, Operand.register(Assembler.RAX));
        code.arithmeticLong(Arithmetic.ADD, OTHER, Operand.register(Assembler.RAX));
        new OverEmitter(code, later)
                .require(
                        WarpValues.FIRST,
                        WarpValues.RESULT,
                        SPARE,
                        unknown,
                        stamps -> stamps(loads, kind, OTHER, stamps));
    }

    private void beginLatest() {
        int all = WarpValues.FIRST;
        int latest = WarpValues.RESULT;
        code.vector(Evex.VPTERNLOGD, all, all, Operand.register(all), 0xff);
        code.vector(Evex.VPXORD, latest, latest, Operand.register(latest));
    }

    /// Where the stamps of the last writes of half a warp's words stand, at distance 0.
    private void stampsAt(int target, AddressPlan plan, int half) {
        code.moveLong(target, plan.pointer(half));
        code.arithmeticLong(Arithmetic.SUB, target, context(WarpContext.SHARED));
        code.arithmeticLong(Arithmetic.ADD, target, Operand.register(target));
        code.arithmeticLong(Arithmetic.ADD, target, cta(CtaContext.WRITES));
    }

    /// Takes the words of half a warp into account: the greatest of their stamps less one, so that
    /// nobody's is the greatest of all.
    private void latest(List<MemoryEmitter.Plain> loads, int kind, int from) {
        int latest = WarpValues.RESULT;
        int less = WarpValues.THIRD;
        stamps(
                loads,
                kind,
                from,
                stamps -> {
                    code.vector(Evex.VPADDQ, less, WarpValues.FIRST, stamps, WORDS, true, -1);
                    code.vector(Evex.VPMAXUQ, latest, latest, Operand.register(less));
                });
    }

    /// The stamps of those words.
    private void stamps(
            List<MemoryEmitter.Plain> loads, int kind, int from, Consumer<Operand> stamps) {
        int least = least(loads);
        BitSet words = new BitSet();
        for (MemoryEmitter.Plain load : loads) {
            int first = (load.offset() - least) / Integer.BYTES;
            words.set(first, first + (kind == AddressPlan.CONSECUTIVE ? HALF : 1));
        }
        for (int word = 0; word >= 0; word = words.nextSetBit(word + STAMPS)) {
            int present = 0;
            for (int i = 0; i < STAMPS; i++) {
                present |= words.get(word + i) ? 1 << i : 0;
            }
            code.moveConstant(SPARE, present);
            code.maskFrom(WORDS, SPARE);
            stamps.accept(Operand.at(from, 2 * least + Long.BYTES * word));
        }
    }

    private static int least(List<MemoryEmitter.Plain> loads) {
        return loads.stream().mapToInt(MemoryEmitter.Plain::offset).min().orElse(0);
    }

    private static int behind(List<MemoryEmitter.Plain> loads, int kind) {
        int most = loads.stream().mapToInt(MemoryEmitter.Plain::offset).max().orElse(0);
        return most + (kind == AddressPlan.CONSECUTIVE ? HALF_BYTES : Integer.BYTES);
    }

    /// Notes who reads what, until the CTA's next barrier.
    private void note(AddressPlan plan, List<MemoryEmitter.Plain> loads, int kind, Label unknown) {
        Label inOrder = new Label();
        code.moveLong(SPARE, cta(CtaContext.NOTE_AT));
        code.arithmeticLong(Arithmetic.CMP, SPARE, cta(CtaContext.NOTES_END));
        code.jump(Condition.ABOVE_OR_EQUAL, unknown);
        code.moveLong(AT, plan.pointer(0));
        code.moveLong(OTHER, plan.pointer(1));
        code.storeLong(Operand.at(SPARE, SharedReads.LOW), AT);
        code.storeLong(Operand.at(SPARE, SharedReads.HIGH), OTHER);
        code.storeConstant(Operand.at(SPARE, SharedReads.KIND), kind);
        code.storeConstant(Operand.at(SPARE, SharedReads.NUMBER), reads.size());
        code.moveLong(CTA, context(WarpContext.THREADS));
        code.storeLong(Operand.at(SPARE, SharedReads.THREADS), CTA);
        sort(inOrder);
        code.arithmeticLong(Arithmetic.ADD, AT, least(loads));
        code.arithmeticLong(Arithmetic.ADD, OTHER, behind(loads, kind));
        code.storeLong(Operand.at(SPARE, SharedReads.FROM), AT);
        code.storeLong(Operand.at(SPARE, SharedReads.TO), OTHER);
        code.moveLong(CTA, context(WarpContext.CTA));
        code.arithmeticLong(Arithmetic.ADD, SPARE, SharedReads.BYTES);
        code.storeLong(cta(CtaContext.NOTE_AT), SPARE);
        reads.add(
                new PlannedReads(
                        loads.stream().mapToInt(load -> load.offset() / Integer.BYTES).toArray(),
                        loads.stream().mapToInt(load -> load.step().site().number()).toArray()));
    }

    /// Leaves the smaller of two addresses in the first register.
    private void sort(Label inOrder) {
        code.arithmeticLong(Arithmetic.CMP, OTHER, Operand.register(AT));
        code.jump(Condition.ABOVE_OR_EQUAL, inOrder);
        code.moveLong(CTA, Operand.register(AT));
        code.moveLong(AT, Operand.register(OTHER));
        code.moveLong(OTHER, Operand.register(CTA));
        code.bind(inOrder);
    }

    /// Looks at a store of words one behind the other: what was written and read there must be
    /// over, and nobody may have read there since the last barrier.
    private void store(AddressPlan plan, MemoryEmitter.Plain store, Label unknown) {
        int latest = WarpValues.RESULT;
        code.moveLong(CTA, context(WarpContext.CTA));
        code.vector(Evex.VPXORD, latest, latest, Operand.register(latest));
        code.vector(Evex.VPBROADCASTQ, WarpValues.SECOND, 0, cta64(CtaContext.NOW));
        for (int half = 0; half < 2; half++) {
            stampsAt(SPARE, plan, half);
            latest(SPARE, store.offset());
            readsAt(SPARE);
            latest(SPARE, store.offset());
        }
        code.vector(Evex.VPCMPUQ, 5, latest, Operand.register(WarpValues.SECOND), NOT_LESS);
        code.jumpIf(Bits.ANY, 5, unknown);
        Label noted = new Label();
        Label unread = new Label();
        code.moveLong(SPARE, cta(CtaContext.NOTE_AT));
        code.arithmeticLong(Arithmetic.CMP, SPARE, cta(CtaContext.NOTES));
        code.jump(Condition.NOT_EQUAL, noted);
        code.bind(unread);
        stamp(plan, store);
        later.accept(
                () -> {
                    code.bind(noted);
                    requireUnread(plan, store, unread, unknown);
                });
    }

    /// From the stamps of the last writes to those of the last reads.
    private void readsAt(int stamps) {
        code.arithmeticLong(Arithmetic.SUB, stamps, cta(CtaContext.WRITES));
        code.arithmeticLong(Arithmetic.ADD, stamps, cta(CtaContext.READS));
    }

    private void latest(int stamps, int offset) {
        for (int i = 0; i < HALF; i += STAMPS) {
            Operand place = Operand.at(stamps, 2 * offset + Long.BYTES * i);
            code.vector(Evex.VPMAXUQ, WarpValues.RESULT, WarpValues.RESULT, place);
        }
    }

    /// Goes through the notes of reads.
    private void requireUnread(
            AddressPlan plan, MemoryEmitter.Plain store, Label unread, Label unknown) {
        Label next = new Label();
        Label on = new Label();
        code.moveLong(AT, plan.pointer(0));
        code.moveLong(OTHER, plan.pointer(1));
        sort(new Label());
        code.arithmeticLong(Arithmetic.ADD, AT, store.offset());
        code.arithmeticLong(Arithmetic.ADD, OTHER, store.offset() + HALF_BYTES);
        code.moveLong(CTA, context(WarpContext.CTA));
        code.bind(next);
        code.arithmeticLong(Arithmetic.SUB, SPARE, SharedReads.BYTES);
        code.arithmeticLong(Arithmetic.CMP, AT, Operand.at(SPARE, SharedReads.TO));
        code.jump(Condition.ABOVE_OR_EQUAL, on);
        code.arithmeticLong(Arithmetic.CMP, OTHER, Operand.at(SPARE, SharedReads.FROM));
        code.jump(Condition.ABOVE, unknown);
        code.bind(on);
        code.arithmeticLong(Arithmetic.CMP, SPARE, cta(CtaContext.NOTES));
        code.jump(Condition.NOT_EQUAL, next);
        code.jump(unread);
    }

    private void stamp(AddressPlan plan, MemoryEmitter.Plain store) {
        int now = WarpValues.FIRST;
        int nobody = WarpValues.RESULT;
        code.vector(Evex.VPBROADCASTQ, now, 0, cta64(CtaContext.NOW));
        code.vector(Evex.VPADDQ, now, now, Operand.all(WarpValues.CONTEXT, WarpContext.THREADS));
        code.vector(Evex.VPXORD, nobody, nobody, Operand.register(nobody));
        long site = Stamp.of(0, store.step().site().number(), Stamp.WEAK, 0);
        for (int half = 0; half < 2; half++) {
            stampsAt(SPARE, plan, half);
            for (int i = 0; i < HALF; i += STAMPS) {
                Operand lanes = steps(site + (half * HALF + i), 1);
                code.vector(Evex.VPADDQ, WarpValues.THIRD, now, lanes);
                put(WarpValues.THIRD, store.offset() + Integer.BYTES * i);
            }
            readsAt(SPARE);
            for (int i = 0; i < HALF; i += STAMPS) {
                put(nobody, store.offset() + Integer.BYTES * i);
            }
        }
    }

    private void put(int stamps, int offset) {
        code.vector(Evex.VMOVDQU64_STORE, stamps, 0, Operand.at(SPARE, 2 * offset));
    }

    private Operand steps(long first, long step) {
        long[] all = new long[STAMPS];
        for (int i = 0; i < STAMPS; i++) {
            all[i] = first + i * step;
        }
        return code.steps(all);
    }
}
