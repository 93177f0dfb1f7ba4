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
/// Where a warp has waited for some others alone, at a barrier of some warps or an mbarrier, no one
/// number says what is over. Then each stamp is looked at by its warp.
///
/// @param later takes code that is to stand behind everything else
record OverEmitter(Assembler code, Consumer<Runnable> later) {
    /// The mask register with the words of a vector that take part.
    static final int WORDS = 6;

    private static final int CHECK = 5;

    /// By how much a stamp is shifted, and what is left of it: the warp's place in
    /// [WarpContext#OVERS].
    static final int TO_WARP = Integer.numberOfTrailingZeros(32 / Long.BYTES);

    static final int WARPS = (Stamp.WARPS - 1) * Long.BYTES;
    private static final int LIMIT = WarpValues.THIRD;

    /// Words that are looked at.
    interface Words {
        /// Makes code for each vector of eight stamps, of which [#WORDS] says which take part.
        void forEach(Consumer<Operand> stamps);
    }

    /// @param added the vector register with what is to be added to each stamp; of nobody's it
    ///     makes the greatest of all
    /// @param latest the vector register with the greatest sum so far
    /// @param spare a general register, which `words` may change
    /// @param other where to go if not all are over
    void require(int added, int latest, int spare, Label other, Words words) {
        Label async = new Label();
        Label over = new Label();
        Label byWarp = new Label();
        greatest(added, latest, -1, words);
        jumpIfLater(latest, WarpContext.OVER, async);
        code.bind(over);
        later.accept(
                () -> {
                    code.bind(async);
                    jumpIfLater(latest, WarpContext.ASYNC_OVER, other);
                    greatest(added, latest, -1 - Stamp.ASYNC, words);
                    jumpIfLater(latest, WarpContext.TURNED_OVER, byWarp);
                    code.jump(over);
                    code.bind(byWarp);
                    words.forEach(stamps -> byWarp(stamps, latest, added, spare, other));
                    code.jump(over);
                });
    }

    /// @param stamp a vector register
    /// @param warp another
    /// @param overs a general register
    private void byWarp(Operand stamps, int stamp, int warp, int overs, Label other) {
        code.address(overs, WarpValues.context(WarpContext.OVERS));
        code.vector(Evex.VMOVDQU64, stamp, 0, stamps, WORDS, true, -1);
        code.vectorWhere(Evex.VPTESTMQ, WORDS, CHECK, stamp, code.longword(Stamp.KINDS));
        code.jumpIf(Bits.ANY, CHECK, other);
        code.vector(Evex.VPSRLVQ, warp, stamp, code.longword(TO_WARP));
        code.vector(Evex.VPANDQ, warp, warp, code.longword(WARPS));
        code.maskShiftRight(CHECK, WORDS, 0);
        code.vectorWhere(Evex.VPGATHERQQ, CHECK, LIMIT, 0, Operand.each(overs, warp));
        // Less one, so that nobody's is the greatest of all.
        code.vector(Evex.VPADDQ, stamp, stamp, code.longword(-1));
        Operand limit = Operand.register(LIMIT);
        code.vector(Evex.VPCMPUQ, CHECK, stamp, limit, WORDS, false, NOT_LESS);
        code.jumpIf(Bits.ANY, CHECK, other);
    }

    private void greatest(int added, int latest, long addend, Words words) {
        code.vector(Evex.VPBROADCASTQ, added, 0, code.longword(addend));
        code.vector(Evex.VPXORD, latest, latest, Operand.register(latest));
        words.forEach(
                stamps -> {
                    int sum = WarpValues.THIRD;
                    code.vector(Evex.VPADDQ, sum, added, stamps, WORDS, true, -1);
                    code.vector(Evex.VPMAXUQ, latest, latest, Operand.register(sum));
                });
    }

    private void jumpIfLater(int latest, int limit, Label target) {
        Operand over = Operand.all(WarpValues.CONTEXT, limit);
        code.vector(Evex.VPCMPUQ, CHECK, latest, over, NOT_LESS);
        code.jumpIf(Bits.ANY, CHECK, target);
    }
}
