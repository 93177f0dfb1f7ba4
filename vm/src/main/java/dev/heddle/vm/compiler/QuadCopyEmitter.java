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

/// Notes what copies of `cp.async` of 16 bytes write as under way: four words of each lane.
///
/// Two lanes are looked at together, the stamps of each in half of a vector. What one has stored
/// the next one may load, whose words may be the neighbours: a masked vector that reaches over them
/// would wait for it.
///
/// @param later takes code that is to stand behind everything else
record QuadCopyEmitter(Assembler code, Consumer<Runnable> later) {
    private static final int LANES = 7;
    private static final int CHECK = 5;

    /// The stamps of two lanes.
    private static final int VECTOR = 64;

    // Vectors: the latest stamps of reads and writes, those of writes, and what is noted.
    private static final int LATEST = WarpValues.RESULT;
    private static final int NOTED = WarpValues.FIRST;
    private static final int PLACES = WarpValues.SECOND;
    private static final int STAMPS = WarpValues.THIRD;
    private static final int CLOSER = WarpValues.FOURTH;

    // General registers: where the stamps of two lanes stand, and from where their addresses do.
    private static final int FIRST = Assembler.RAX;
    private static final int SECOND = Assembler.RBP;
    private static final int LANE = SharedStampEmitter.LANE;

    /// Where the next stamps go that are replaced.
    private static final int REPLACED = Assembler.R13;

    /// Notes the words of all lanes, whose addresses are found; they then ask for a closer look.
    ///
    /// @param java where to go, with all as it was, if some are not in order at first sight
    void stamp(int site, Label java) {
        Label undo = new Label();
        Label next = new Label();
        code.vector(Evex.VPBROADCASTQ, CLOSER, 0, code.longword(Stamp.LOOK_CLOSER));
        code.moveLong(REPLACED, context(WarpContext.COPY_NOTES_END));
        code.moveLong(LANE, Operand.register(CONTEXT));
        code.bind(next);
        code.moveLong(FIRST, destination(0));
        code.arithmeticLong(Arithmetic.CMP, FIRST, destination(1));
        code.jump(Condition.EQUAL, undo);
        find(WarpContext.READS_FROM);
        load(LATEST);
        find(WarpContext.STAMPS_FROM);
        load(STAMPS);
        code.vector(Evex.VPMAXUQ, LATEST, LATEST, Operand.register(STAMPS));
        code.vector(Evex.VPCMPUQ, CHECK, LATEST, Operand.all(CONTEXT, WarpContext.OVER), GREATER);
        code.jumpIf(Bits.ANY, CHECK, undo);
        code.vector(Evex.VMOVDQU64_STORE, STAMPS, 0, Operand.at(REPLACED, 0));
        store(CLOSER);
        code.arithmeticLong(Arithmetic.ADD, REPLACED, VECTOR);
        code.arithmeticLong(Arithmetic.ADD, LANE, 2 * Long.BYTES);
        code.address(FIRST, context(SharedStampEmitter.LANES_BYTES));
        code.arithmeticLong(Arithmetic.CMP, LANE, Operand.register(FIRST));
        code.jump(Condition.NOT_EQUAL, next);
        list(site);
        later.accept(() -> undo(undo, java));
    }

    /// Of the two lanes that are looked at.
    private static Operand destination(int lane) {
        return Operand.at(LANE, SharedStampEmitter.DESTINATIONS + lane * Long.BYTES);
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

    /// Lists the copies, and the stamps of their words as they were written when they began.
    private void list(int site) {
        long copy = CopiesUnderWay.ofSite(site);
        scatter(WarpContext.COPY, copy, 0);
        scatter(WarpContext.NOW, Stamp.of(0, site, Stamp.WEAK, 0), WarpContext.WIDE_BYTES);
    }

    /// @param now what lane 0 has, without the instruction
    /// @param own what the instruction adds
    /// @param behind how many bytes behind the copies it stands, or 0 for those
    private void scatter(int now, long own, int behind) {
        code.moveLong(SECOND, context(WarpContext.WIDE_FROM));
        if (behind != 0) {
            code.arithmeticLong(Arithmetic.ADD, SECOND, context(behind));
        }
        code.moveConstant(FIRST, 0xff);
        long[] lanes = new long[Long.BYTES];
        for (int lane = 0; lane < lanes.length; lane++) {
            lanes[lane] = own + lane;
        }
        code.vector(Evex.VPBROADCASTQ, NOTED, 0, Operand.all(CONTEXT, now));
        code.vector(Evex.VPADDQ, NOTED, NOTED, code.steps(lanes));
        for (int i = 0; i < SharedStampEmitter.LANES_BYTES; i += VECTOR) {
            code.vector(Evex.VMOVDQU64, PLACES, 0, context(SharedStampEmitter.DESTINATIONS + i));
            code.vector(Evex.VPSLLQ_I, RIGHT, PLACES, Operand.register(PLACES), 1);
            code.maskFrom(LANES, FIRST);
            code.vectorWhere(Evex.VPSCATTERQQ, LANES, NOTED, 0, Operand.each(SECOND, PLACES));
            code.vector(Evex.VPADDQ, NOTED, NOTED, code.longword(lanes.length));
        }
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
