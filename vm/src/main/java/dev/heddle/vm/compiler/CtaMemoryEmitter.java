package dev.heddle.vm.compiler;

import static dev.heddle.vm.compiler.WarpValues.context;
import static dev.heddle.vm.compiler.WarpValues.cta;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.SharedGap;
import dev.heddle.vm.shadow.Stamp;

import java.util.List;

/// What a CTA finds where machine code begins it: shared memory of zeros that nobody has accessed.
record CtaMemoryEmitter(Assembler code, List<SharedGap> gaps) {
    static final long ONE_CLOCK = Stamp.of(1, 0, Stamp.WEAK, 0);

    /// Stamps in a vector.
    private static final int STAMPS = 8;

    /// Shared memory is zero where a CTA begins; its room is a multiple of 64 bytes.
    void clear() {
        clear(context(WarpContext.SHARED), context(WarpContext.SHARED_BYTES));
    }

    /// Nobody has accessed the shared memory of the next CTA.
    void beginStamps() {
        code.moveLong(Assembler.RBP, cta(CtaContext.NEXT_CTA));
        code.arithmeticLongInto(Arithmetic.ADD, cta(CtaContext.FIRST_NOW), Assembler.RBP);
        code.moveLong(Assembler.RBP, cta(CtaContext.FIRST_NOW));
        code.storeLong(cta(CtaContext.GLOBAL_NOW), Assembler.RBP);
        code.moveLong(Assembler.RBP, code.longword(ONE_CLOCK));
        code.storeLong(cta(CtaContext.NOW), Assembler.RBP);
        forgetReads();
        clear(cta(CtaContext.WRITES), cta(CtaContext.STAMP_BYTES));
        clear(cta(CtaContext.READS), cta(CtaContext.STAMP_BYTES));
        gaps.stream().filter(gap -> gap.endWord() > gap.firstWord()).forEach(this::mark);
    }

    /// What was read is over for everybody.
    void forgetReads() {
        code.moveLong(Assembler.RBP, cta(CtaContext.NOTES));
        code.storeLong(cta(CtaContext.NOTE_AT), Assembler.RBP);
    }

    /// Lets every access to the words of a gap take a closer look, as `SharedShadow` does.
    private void mark(SharedGap gap) {
        code.moveLong(Assembler.RBP, cta(CtaContext.WRITES));
        code.arithmeticLong(Arithmetic.ADD, Assembler.RBP, Long.BYTES * gap.firstWord());
        code.moveLong(Assembler.R13, code.longword(Stamp.LOOK_CLOSER));
        int words = gap.endWord() - gap.firstWord();
        for (int word = 0; word < words % STAMPS; word++) {
            code.storeLong(Operand.at(Assembler.RBP, Long.BYTES * word), Assembler.R13);
        }
        if (words < STAMPS) {
            return;
        }
        Label mark = new Label();
        int look = WarpValues.RESULT;
        code.vector(Evex.VPBROADCASTQ, look, 0, code.longword(Stamp.LOOK_CLOSER));
        code.arithmeticLong(Arithmetic.ADD, Assembler.RBP, Long.BYTES * (words % STAMPS));
        code.address(
                Assembler.R13, Operand.at(Assembler.RBP, Long.BYTES * (words - words % STAMPS)));
        code.bind(mark);
        code.vector(Evex.VMOVDQU32_STORE, look, 0, Operand.at(Assembler.RBP, 0));
        code.arithmeticLong(Arithmetic.ADD, Assembler.RBP, Long.BYTES * STAMPS);
        code.arithmeticLong(Arithmetic.CMP, Assembler.RBP, Operand.register(Assembler.R13));
        code.jump(Condition.NOT_EQUAL, mark);
    }

    /// Clears memory by 64 bytes.
    private void clear(Operand place, Operand bytes) {
        Label clear = new Label();
        Label cleared = new Label();
        int zero = WarpValues.RESULT;
        code.vector(Evex.VPXORD, zero, zero, Operand.register(zero));
        code.moveLong(Assembler.RBP, place);
        code.moveLong(Assembler.R13, bytes);
        code.arithmeticLong(Arithmetic.ADD, Assembler.R13, Operand.register(Assembler.RBP));
        code.bind(clear);
        code.arithmeticLong(Arithmetic.CMP, Assembler.RBP, Operand.register(Assembler.R13));
        code.jump(Condition.ABOVE_OR_EQUAL, cleared);
        code.vector(Evex.VMOVDQU32_STORE, zero, 0, Operand.at(Assembler.RBP, 0));
        code.arithmeticLong(Arithmetic.ADD, Assembler.RBP, 64);
        code.jump(clear);
        code.bind(cleared);
    }
}
