package dev.heddle.tensorcore.kernel;

import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.R10;
import static dev.heddle.tensorcore.x86.Assembler.RAX;
import static dev.heddle.tensorcore.x86.Assembler.RBX;
import static dev.heddle.tensorcore.x86.Assembler.RDI;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Operand.at;
import static dev.heddle.tensorcore.x86.Operand.register;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;

/// The part of [ProductCode] that makes `float` values of f16 accumulators, of which two columns
/// share words, and f16 of results.
final class PairCode extends VectorCode {
    private final FusedLayout layout;

    PairCode(Assembler code, FusedLayout layout) {
        super(code);
        this.layout = layout;
    }

    /// C, from the pairs.
    void read() {
        walk(
                layout.planeC(),
                () -> {
                    load(0, at(RAX, 0));
                    widen(at(R10, 0));
                    shift(RIGHT, 0, 0, Short.SIZE);
                    widen(at(R10, VECTOR));
                });
    }

    private void widen(Operand target) {
        code.vector(Evex.VPMOVDW, 0, 0, register(1));
        code.vector(Evex.VCVTPH2PS, 1, 0, register(1));
        store(target, 1);
    }

    /// D, to the pairs.
    void write() {
        walk(
                layout.planeD(),
                () -> {
                    narrow(0, at(R10, 0));
                    narrow(1, at(R10, VECTOR));
                    shift(LEFT, 1, 1, Short.SIZE);
                    vector(Evex.VPORD, 0, 0, 1);
                    store(at(RAX, 0), 0);
                });
    }

    private void narrow(int target, Operand source) {
        load(target, source);
        code.vector(Evex.VCVTPS2PH, target, 0, register(target), 0);
        code.vector(Evex.VPMOVZXWD, target, 0, register(target));
    }

    private void walk(int plane, Runnable body) {
        code.address(RAX, at(RDI, layout.pairs()));
        code.address(R10, at(RDI, plane));
        repeat(
                RBX,
                layout.blocks() * layout.columns() / 2,
                () -> {
                    body.run();
                    addTo(RAX, VECTOR);
                    addTo(R10, 2 * VECTOR);
                });
    }
}
