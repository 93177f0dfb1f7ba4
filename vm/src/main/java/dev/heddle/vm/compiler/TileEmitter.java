package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Width;

/// How lanes agree on a tile of `wmma` in machine code. Where they do not, Java says so.
final class TileEmitter {
    private static final int LOW = Assembler.RAX;

    private final WarpValues values;
    private final Assembler code;
    private final Checking checking;

    /// @param checking who looks at accesses of memory
    TileEmitter(WarpValues values, Checking checking) {
        this.values = values;
        this.checking = checking;
        code = values.code;
    }

    /// Whether a tile is known here: its space may not depend on its address.
    static boolean knows(Exit.Synchronize exit) {
        return exit.guard() == null
                && exit.joint() instanceof Collective.NameTile tile
                && (tile.space() == Space.SHARED || tile.space() == Space.GLOBAL)
                && tile.base() instanceof Register
                && Math.abs(tile.offset()) < 1 << 24;
    }

    /// Goes elsewhere unless all lanes are there; with checks, unless they name the same place, and
    /// its rows are aligned.
    void emit(Collective.NameTile tile, Label java) {
        code.arithmetic(Arithmetic.CMP, Operand.register(WarpValues.ACTIVE), -1);
        code.jump(Condition.NOT_EQUAL, java);
        if (checking == Checking.NONE) {
            return;
        }
        requireSame(tile.base(), java);
        code.arithmetic(Arithmetic.ADD, Operand.register(LOW), (int) tile.offset());
        code.arithmetic(Arithmetic.AND, Operand.register(LOW), tile.alignment() - 1);
        code.jump(Condition.NOT_EQUAL, java);
        requireSame(tile.stride(), java);
        code.multiply(LOW, LOW, tile.elementBits());
        code.arithmetic(Arithmetic.AND, Operand.register(LOW), Byte.SIZE * tile.alignment() - 1);
        code.jump(Condition.NOT_EQUAL, java);
    }

    /// Leaves the low word of what all lanes have in RAX.
    private void requireSame(Source source, Label java) {
        boolean isLong = source.width() == Width.LONG;
        int first = values.load(source, 0, WarpValues.FIRST);
        code.lowWord(LOW, first);
        Evex broadcast = isLong ? Evex.VPBROADCASTQ : Evex.VPBROADCASTD;
        code.vector(broadcast, WarpValues.SECOND, 0, Operand.register(first));
        int apart = WarpValues.THIRD;
        code.vector(Evex.VPXORD, apart, WarpValues.SECOND, Operand.register(first));
        for (int chunk = 1; chunk < WarpValues.chunks(source.width()); chunk++) {
            int other = values.load(source, chunk, WarpValues.FIRST);
            code.vector(Evex.VPXORD, WarpValues.FOURTH, WarpValues.SECOND, Operand.register(other));
            code.vector(Evex.VPORQ, apart, apart, Operand.register(WarpValues.FOURTH));
        }
        code.jumpIfVector(Bits.ANY, apart, java);
    }
}
