package dev.heddle.tensorcore.kernel;

import static dev.heddle.tensorcore.x86.Assembler.R10;
import static dev.heddle.tensorcore.x86.Assembler.R11;
import static dev.heddle.tensorcore.x86.Assembler.RAX;
import static dev.heddle.tensorcore.x86.Assembler.RBP;
import static dev.heddle.tensorcore.x86.Assembler.RBX;
import static dev.heddle.tensorcore.x86.Assembler.RDI;
import static dev.heddle.tensorcore.x86.Operand.all;
import static dev.heddle.tensorcore.x86.Operand.at;
import static dev.heddle.tensorcore.x86.Operand.register;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.MaskOperation;
import dev.heddle.tensorcore.x86.Evex;

/// The part of [ProductCode] that computes chains of f64 multiply-adds, eight rows at a time.
final class ChainCode extends VectorCode {
    /// The first vector of the sums of all columns.
    private static final int SUMS = 8;

    private final ChainLayout layout;

    ChainCode(Assembler code, ChainLayout layout) {
        super(code);
        this.layout = layout;
    }

    /// R11 walks along A, RAX along B, R10 along C. Mask 7 receives which elements are no number.
    void chains() {
        code.mask(MaskOperation.KANDNW, 7, 7, 7);
        code.address(R11, at(RDI, layout.a().target()));
        code.address(R10, at(RDI, layout.c().target()));
        repeat(
                RBP,
                layout.blocks(),
                () -> {
                    for (int column = 0; column < layout.columns(); column++) {
                        load(SUMS + column, at(R10, column * VECTOR));
                    }
                    code.address(RAX, at(RDI, layout.b().target()));
                    repeat(RBX, layout.k(), this::multiply);
                    for (int column = 0; column < layout.columns(); column++) {
                        int sum = SUMS + column;
                        code.vector(Evex.VCMPPD, 1, sum, register(sum), Assembler.UNORDERED);
                        code.mask(MaskOperation.KORW, 7, 7, 1);
                        store(at(R10, column * VECTOR), sum);
                    }
                    addTo(R10, layout.columns() * VECTOR);
                });
    }

    private void multiply() {
        load(0, at(R11, 0));
        for (int column = 0; column < layout.columns(); column++) {
            int element = column * layout.k() * Double.BYTES;
            vector(Evex.VFMADD231PD, SUMS + column, 0, all(RAX, element));
        }
        addTo(R11, VECTOR);
        addTo(RAX, Double.BYTES);
    }
}
