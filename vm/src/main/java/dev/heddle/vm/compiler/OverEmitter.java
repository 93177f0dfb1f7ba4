package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.NOT_LESS;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.shadow.Stamp;

import java.util.function.Consumer;

/// Whether the last writes of words that a warp reads are over for all of its lanes, by the
/// greatest of their stamps.
///
/// Stamps of asynchronous operations are greater than those of threads, and have a limit of their
/// own. Where the greatest stamp is one of them, and over, all are looked at again with less
/// subtracted from each: then those of threads are the greater ones.
///
/// @param later takes code that is to stand behind everything else
record OverEmitter(Assembler code, Consumer<Runnable> later) {
    /// @param added the vector register with what is to be added to each stamp; of nobody's it
    ///     makes the greatest of all
    /// @param latest the vector register with the greatest sum so far
    /// @param check a mask register
    /// @param other where to go if not all are over
    /// @param words takes each stamp into account
    void require(int added, int latest, int check, Label other, Runnable words) {
        Label async = new Label();
        Label over = new Label();
        greatest(added, latest, -1, words);
        jumpIfLater(latest, WarpContext.OVER, check, async);
        code.bind(over);
        later.accept(
                () -> {
                    code.bind(async);
                    jumpIfLater(latest, WarpContext.ASYNC_OVER, check, other);
                    greatest(added, latest, -1 - Stamp.ASYNC, words);
                    jumpIfLater(latest, WarpContext.TURNED_OVER, check, other);
                    code.jump(over);
                });
    }

    private void greatest(int added, int latest, long addend, Runnable words) {
        code.vector(Evex.VPBROADCASTQ, added, 0, code.longword(addend));
        code.vector(Evex.VPXORD, latest, latest, Operand.register(latest));
        words.run();
    }

    private void jumpIfLater(int latest, int limit, int check, Label target) {
        Operand over = Operand.all(WarpValues.CONTEXT, limit);
        code.vector(Evex.VPCMPUQ, check, latest, over, NOT_LESS);
        code.jumpIf(Bits.ANY, check, target);
    }
}
