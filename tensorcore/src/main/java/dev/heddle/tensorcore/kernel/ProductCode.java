package dev.heddle.tensorcore.kernel;

import static dev.heddle.tensorcore.x86.Assembler.R10;
import static dev.heddle.tensorcore.x86.Assembler.R12;
import static dev.heddle.tensorcore.x86.Assembler.R13;
import static dev.heddle.tensorcore.x86.Assembler.R14;
import static dev.heddle.tensorcore.x86.Assembler.R15;
import static dev.heddle.tensorcore.x86.Assembler.R9;
import static dev.heddle.tensorcore.x86.Assembler.RAX;
import static dev.heddle.tensorcore.x86.Assembler.RBP;
import static dev.heddle.tensorcore.x86.Assembler.RBX;
import static dev.heddle.tensorcore.x86.Assembler.RCX;
import static dev.heddle.tensorcore.x86.Assembler.RDI;
import static dev.heddle.tensorcore.x86.Assembler.RDX;
import static dev.heddle.tensorcore.x86.Assembler.RSI;
import static dev.heddle.tensorcore.x86.Operand.at;
import static dev.heddle.tensorcore.x86.Operand.register;

import dev.heddle.isa.Role;
import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Assembler.MaskOperation;

/// Products as machine code. Fused sums add the same truncated terms as [DecodedOperand],
/// [DenseTerms], [SparseTerms] and [VectorFusedSum], by fewer steps, and so with the same bits.
///
/// It is a function of six addresses: the memory that a [ProductLayout] describes, A, B, C, the
/// metadata and D. Its result says whether D was written.
final class ProductCode {
    /// D was written.
    static final int DONE = 0;

    /// An element needs another way; nothing was written.
    static final int RARE = 1;

    /// The manual does not define the metadata; nothing was written.
    static final int UNDEFINED = 2;

    private static final int[] SAVED = {RBX, RBP, R12, R13, R14, R15};

    private final Assembler code = Assembler.forThisProcessor();
    private final ProductLayout layout;

    private ProductCode(ProductLayout layout) {
        this.layout = layout;
    }

    /// The code, to be run at any address.
    static byte[] of(ProductLayout layout) {
        return new ProductCode(layout).emit();
    }

    private byte[] emit() {
        Label undefined = new Label();
        Label rare = new Label();
        Label end = new Label();
        for (int register : SAVED) {
            code.push(register);
        }
        code.enter();
        OperandCode operands = new OperandCode(code);
        switch (layout) {
            case FusedLayout fused -> {
                sums(fused, operands, undefined);
                code.jumpIf(Bits.ANY, 7, rare);
            }
            case ChainLayout chain -> {
                operands.move(chain.a(), RSI);
                operands.move(chain.b(), RDX);
                operands.move(chain.c(), RCX);
                new ChainCode(code, chain).chains();
                code.jumpIf(Bits.ANY, 7, rare);
            }
            case IntegerLayout integer -> sums(integer, operands, undefined);
        }
        code.address(RCX, at(RDI, layout.words()));
        code.moveLong(R10, register(R9));
        operands.moveTo(layout.d(), RCX);
        code.moveConstant(RAX, DONE);
        code.jump(end);
        code.bind(rare);
        code.moveConstant(RAX, RARE);
        code.jump(end);
        code.bind(undefined);
        code.moveConstant(RAX, UNDEFINED);
        code.bind(end);
        code.leave();
        for (int i = SAVED.length - 1; i >= 0; i--) {
            code.pop(SAVED[i]);
        }
        code.zeroUpper();
        code.ret();
        return code.finish();
    }

    /// Mask 7 says which elements need another way.
    private void sums(FusedLayout fused, OperandCode operands, Label undefined) {
        code.mask(MaskOperation.KANDNW, 7, 7, 7);
        fused.choices().forEach(choices -> operands.choose(choices, undefined));
        new FactorCode(code, fused).read(operands);
        operands.decode(Role.A, fused, RSI);
        operands.decode(Role.B, fused, RDX);
        operands.move(fused.c(), RCX);
        PairCode pairs = new PairCode(code, fused);
        if (fused.rule().half()) {
            pairs.read();
        }
        if (fused.rule().termsOfMany()) {
            new TermSumCode(code, fused).sums();
        } else {
            new SumCode(code, fused).sums();
        }
        if (fused.rule().half()) {
            pairs.write();
        }
    }

    private void sums(IntegerLayout integer, OperandCode operands, Label undefined) {
        IntegerSumCode sums = new IntegerSumCode(code, integer);
        operands.move(integer.a(), RSI);
        integer.expansion()
                .forEach(each -> operands.expand(each, integer.a(), integer.planeA(), undefined));
        operands.move(integer.b(), RDX);
        if (integer.bits().isEmpty()) {
            sums.split();
        }
        operands.move(integer.c(), RCX);
        sums.sums();
    }
}
