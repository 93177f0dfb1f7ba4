package dev.heddle.vm.lowering;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Collective.Multiplicand;
import dev.heddle.vm.ir.Collective.Warpgroup.Action;
import dev.heddle.vm.ir.Source;

import java.util.List;

/// `wgmma` (PTX ISA 9.7.15): products of a warpgroup, and the groups by which it waits for them.
record WgmmaLowering(CodeBuilder builder, WarpLowering warp, MultiplyLowering products) {
    void await(BoundInstruction form) {
        join(Action.WAIT, builder.constant(form.operand(0)));
    }

    void join(Action action, int pending) {
        warp.join(new Collective.Warpgroup(action, pending));
    }

    void multiply(BoundInstruction form) {
        Form product = form.product();
        List<String> names = product.syntax().operands();
        if (names.size() != form.operands().size()) {
            throw new UnsupportedInstruction("other operands than the form has");
        }
        Collective.Metadata metadata =
                product.sparse()
                        ? products.metadata(
                                product,
                                form.operand(names.indexOf("sp-meta")),
                                form.operand(names.indexOf("sp-sel")))
                        : null;
        Source scaleD = builder.read(form.operand(names.indexOf("scale-d")), ScalarType.PRED);
        boolean negated = immediate(form, names, "imm-scale-a") == -1;
        Multiplicand a =
                product.aSource() == ASource.REGISTERS
                        ? new Multiplicand.InRegisters(
                                products.fragment(form.operand(1), product, Role.A), negated)
                        : described(form, names, "a", negated);
        warp.join(
                new Collective.MultiplyAsync(
                        product,
                        products.targets(form.operand(0), product),
                        a,
                        described(form, names, "b", immediate(form, names, "imm-scale-b") == -1),
                        metadata,
                        scaleD));
    }

    private Multiplicand.Described described(
            BoundInstruction form, List<String> names, String matrix, boolean negated) {
        Operand descriptor = form.operand(names.indexOf(matrix + "-desc"));
        return new Multiplicand.Described(
                builder.read(descriptor, ScalarType.B64),
                immediate(form, names, "imm-trans-" + matrix) == 1 ? Major.MN : Major.K,
                negated);
    }

    /// An immediate operand; 0 where the form has none of that name.
    private int immediate(BoundInstruction form, List<String> names, String name) {
        int at = names.indexOf(name);
        return at < 0 ? 0 : builder.constant(form.operand(at));
    }
}
