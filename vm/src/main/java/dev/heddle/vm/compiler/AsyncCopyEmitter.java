package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.GREATER;
import static dev.heddle.tensorcore.x86.Assembler.NOT_EQUAL;
import static dev.heddle.vm.compiler.WarpValues.context;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

/// `cp.async` of whole warps in machine code. What is out of bounds, not aligned, or of some lanes
/// only, is left to Java; so are copies that fill with zeros, and with checks what is not in order
/// at first sight.
record AsyncCopyEmitter(
        WarpValues values,
        Assembler code,
        SharedStampEmitter destinations,
        @Nullable CopyShadowEmitter shadow) {
    private static final int CHECK = 5;
    static final int ORIGINS = WarpContext.ADDRESSES;

    // General registers: the addresses of a lane, and what moves.
    private static final int POINTER = Assembler.RAX;
    private static final int LOW = Assembler.RBP;
    private static final int HIGH = Assembler.R13;
    private static final int LANE = Assembler.R14;

    /// @param destinations finds where they go
    /// @param shadow looks at copies, or null without checks
    AsyncCopyEmitter(
            WarpValues values,
            SharedStampEmitter destinations,
            @Nullable CopyShadowEmitter shadow) {
        this(values, values.code, destinations, shadow);
    }

    /// Whether a copy is known here.
    static boolean knows(Step.AsyncCopy copy) {
        return copy.ignore() == null
                && !(copy.sourceBytes() instanceof Source.Constant)
                && copy.origin() instanceof Register origin
                && origin.width() == Width.LONG
                && copy.destination() instanceof Register destination
                && destination.width() == Width.WORD
                && Math.abs(copy.destinationOffset()) < 1 << 24;
    }

    /// Emits a copy.
    ///
    /// @param otherwise where to go if Java is to do it, or to take notes first
    void emit(Step.AsyncCopy copy, MemoryEmitter.Otherwise otherwise) {
        Label fault = otherwise.fault();
        Label done = new Label();
        code.move(Assembler.RAX, Operand.register(WarpValues.ACTIVE));
        if (copy.guard() != null) {
            values.restrict(Assembler.RAX, copy.guard());
            code.test(Assembler.RAX, Assembler.RAX);
            code.jump(Condition.EQUAL, done);
        }
        code.arithmetic(Arithmetic.CMP, Operand.register(Assembler.RAX), -1);
        code.jump(Condition.NOT_EQUAL, fault);
        if (copy.sourceBytes() instanceof Register bytes) {
            for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
                int count = values.load(bytes, chunk, WarpValues.FOURTH);
                code.vector(Evex.VPCMPUD, CHECK, count, code.word(copy.bytes()), NOT_EQUAL);
                code.jumpIf(Bits.ANY, CHECK, fault);
            }
        }
        for (int chunk = 0; chunk < WarpValues.chunks(Width.LONG); chunk++) {
            origins(copy, chunk, fault);
        }
        destinations.find(copy.destination(), (int) copy.destinationOffset(), copy.bytes(), fault);
        if (shadow != null) {
            shadow.begin(copy, otherwise);
        }
        code.storeConstant(context(WarpContext.CHANGED), 1);
        move(copy.bytes());
        code.bind(done);
    }

    private void origins(Step.AsyncCopy copy, int chunk, Label fault) {
        int at = WarpValues.FOURTH;
        int address = values.load(copy.origin(), chunk, at);
        Operand more = code.longword(copy.originOffset() - Addresses.GLOBAL);
        code.vector(Evex.VPADDQ, at, address, more);
        int last = WarpContext.lastGlobal(copy.bytes());
        code.vector(Evex.VPCMPUQ, CHECK, at, Operand.all(WarpValues.CONTEXT, last), GREATER);
        code.jumpIf(Bits.ANY, CHECK, fault);
        code.vector(Evex.VPTESTMQ, CHECK, at, code.longword(copy.bytes() - 1));
        code.jumpIf(Bits.ANY, CHECK, fault);
        code.vector(Evex.VPADDQ, at, at, Operand.all(WarpValues.CONTEXT, WarpContext.GLOBAL));
        code.vector(Evex.VMOVDQU64_STORE, at, 0, context(ORIGINS + 64 * chunk));
    }

    /// Lane by lane.
    private void move(int bytes) {
        Label next = new Label();
        code.moveLong(LANE, Operand.register(WarpValues.CONTEXT));
        code.bind(next);
        code.moveLong(POINTER, Operand.at(LANE, ORIGINS));
        if (bytes == Integer.BYTES) {
            code.move(LOW, Operand.at(POINTER, 0));
        } else {
            code.moveLong(LOW, Operand.at(POINTER, 0));
        }
        if (bytes > Long.BYTES) {
            code.moveLong(HIGH, Operand.at(POINTER, Long.BYTES));
        }
        code.moveLong(POINTER, Operand.at(LANE, SharedStampEmitter.DESTINATIONS));
        if (bytes == Integer.BYTES) {
            code.store(Operand.at(POINTER, 0), LOW);
        } else {
            code.storeLong(Operand.at(POINTER, 0), LOW);
        }
        if (bytes > Long.BYTES) {
            code.storeLong(Operand.at(POINTER, Long.BYTES), HIGH);
        }
        code.arithmeticLong(Arithmetic.ADD, LANE, Long.BYTES);
        code.address(POINTER, context(SharedStampEmitter.LANES_BYTES));
        code.arithmeticLong(Arithmetic.CMP, LANE, Operand.register(POINTER));
        code.jump(Condition.NOT_EQUAL, next);
    }
}
