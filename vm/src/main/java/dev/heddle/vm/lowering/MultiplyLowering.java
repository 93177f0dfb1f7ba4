package dev.heddle.vm.lowering;

import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Collective.Supplied;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;

import java.util.ArrayList;
import java.util.List;

/// `mma` in all its forms: dense, sparse, block-scaled (PTX ISA 9.7.14.5 and 9.7.14.6).
record MultiplyLowering(CodeBuilder builder, WarpLowering warp) {
    private static final int D = 0;
    private static final int A = 1;
    private static final int B = 2;
    private static final int C = 3;

    void multiply(BoundInstruction form) {
        Form product = form.product();
        int next = C + 1;
        Collective.Metadata metadata = null;
        if (product.sparse()) {
            metadata = metadata(product, form.operand(next), form.operand(next + 1));
            next += 2;
        }
        List<Collective.Scale> scales = new ArrayList<>();
        if (product.blockScaled()) {
            scales.add(scale(product, Role.A, form.operand(next), form.operand(next + 1)));
            scales.add(scale(product, Role.B, form.operand(next + 2), form.operand(next + 3)));
        }
        warp.join(
                new Collective.Multiply(
                        product,
                        targets(form.operand(D), product),
                        fragment(form.operand(A), product, Role.A),
                        fragment(form.operand(B), product, Role.B),
                        fragment(form.operand(C), product, Role.C),
                        metadata,
                        scales));
    }

    /// The metadata of a sparse A, and what it reads them of.
    Collective.Metadata metadata(Form product, Operand word, Operand selector) {
        int selected = builder.constant(selector);
        int lanes = 0;
        var layout = product.metadata().orElseThrow();
        // Another selector names no lane: executing it says so.
        if (selected >= 0 && selected < layout.selectors()) {
            for (int lane : layout.suppliers(selected)) {
                lanes |= 1 << lane % 32;
            }
        }
        return new Collective.Metadata(new Supplied(word(word), lanes), selected);
    }

    /// An operand of one register, which may appear in braces.
    private Source word(Operand operand) {
        List<Operand> elements = MemoryOperands.elements(operand);
        if (elements.size() != 1) {
            throw new UnsupportedInstruction("a vector where one register is needed");
        }
        return builder.read(elements.getFirst(), ScalarType.B32);
    }

    private Collective.Scale scale(Form product, Role role, Operand factors, Operand selector) {
        List<Operand> ids = MemoryOperands.elements(selector);
        if (ids.size() != 2) {
            throw new UnsupportedInstruction("scale factors of this kind");
        }
        Source byteId = builder.read(ids.get(0), ScalarType.U16);
        Source threadId = builder.read(ids.get(1), ScalarType.U16);
        int lanes =
                byteId instanceof Source.Constant(_, long b)
                                && threadId instanceof Source.Constant(_, long t)
                        ? suppliers(product.scaleFactors(role).orElseThrow(), (int) b, (int) t)
                        : 0;
        return new Collective.Scale(new Supplied(word(factors), lanes), byteId, threadId);
    }

    private static int suppliers(ScaleFactors factors, int byteId, int threadId) {
        if (!factors.byteIds().contains(byteId) || !factors.threadIds().contains(threadId)) {
            return 0;
        }
        int lanes = 0;
        for (int line = 0; line < factors.lines(); line++) {
            var factor = new ScaleFactors.Factor(line, 0);
            lanes |= 1 << factors.supplier(factor, byteId, threadId).lane();
        }
        return lanes;
    }

    /// The registers of D.
    List<Register> targets(Operand operand, Form product) {
        List<Register> targets = warp.results(operand, untyped(product, Role.D));
        requireBits(targets, product, Role.D);
        return targets;
    }

    /// The registers of A, B or C.
    List<Source> fragment(Operand operand, Form product, Role role) {
        List<Source> sources = warp.fragment(operand, untyped(product, role));
        requireBits(sources, product, role);
        return sources;
    }

    /// The untyped type as wide as a register of a fragment.
    static ScalarType untyped(Form product, Role role) {
        return product.fragment(role).registerBits() == Long.SIZE ? ScalarType.B64 : ScalarType.B32;
    }

    private static void requireBits(List<? extends Source> registers, Form product, Role role) {
        var fragment = product.fragment(role);
        int bits = 0;
        for (Source register : registers) {
            bits += register.width().bits();
        }
        if (bits != fragment.registers() * fragment.registerBits()) {
            throw new UnsupportedInstruction("fragments of other sizes than the form has");
        }
    }
}
