package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.RegisterNumbers;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.state.Frame;

import java.util.Arrays;
import java.util.BitSet;

/// The registers that a function may read before it has written them: all that must be cleared for
/// the next CTA.
final class EntryRegisters {
    private final int[] words;
    private final int[] longs;
    private final int[] predicates;

    EntryRegisters(Liveness liveness) {
        BitSet live = liveness.entry();
        RegisterNumbers numbers = liveness.numbers();
        words = numbers.indices(Width.WORD, live);
        longs = numbers.indices(Width.LONG, live);
        predicates = numbers.indices(Width.PREDICATE, live);
    }

    void clear(Frame frame) {
        for (int register : words) {
            Arrays.fill(frame.words, 32 * register, 32 * register + 32, 0);
        }
        for (int register : longs) {
            Arrays.fill(frame.longs, 32 * register, 32 * register + 32, 0);
        }
        for (int register : predicates) {
            frame.predicates[register] = 0;
        }
    }

    /// Emits machine code that does the same.
    void clear(WarpValues values) {
        Assembler code = values.code;
        int zero = WarpValues.RESULT;
        code.vector(Evex.VPXORD, zero, zero, Operand.register(zero));
        for (int register : words) {
            clear(code, WarpValues.WORDS, 128 * register, 128);
        }
        for (int register : longs) {
            clear(code, WarpValues.LONGS, 256 * register, 256);
        }
        for (int register : predicates) {
            code.storeConstant(Operand.at(WarpValues.PREDICATES, 4 * register), 0);
        }
    }

    private static void clear(Assembler code, int base, int from, int bytes) {
        for (int at = from; at < from + bytes; at += 64) {
            code.vector(Evex.VMOVDQU32_STORE, WarpValues.RESULT, 0, Operand.at(base, at));
        }
    }
}
