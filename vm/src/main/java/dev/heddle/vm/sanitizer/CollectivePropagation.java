package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.state.Frame;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// How undefined values go through what lanes of a warp do together, exchanges apart.
record CollectivePropagation(UndefinedUses uses) {
    private static final String SUPPLIED = " (they supply the metadata under this selector)";

    /// Before lanes do together what they came for.
    void together(Frame frame, Exit.Synchronize exit, int lanes) {
        UndefinedBits bits = frame.undefinedBits();
        Site site = exit.site();
        switch (exit.joint()) {
            case Collective.Multiply product -> multiply(frame, bits, site, product);
            case Collective.AccessMatrix access -> {
                // What is in the rows, or goes there, is followed byte by byte.
                uses.decide(frame, site, access.base(), lanes, -1);
                access.targets().forEach(target -> bits.define(target, -1));
            }
            case Collective.MultiplyAsync product -> multiply(frame, site, product);
            case Collective.Barrier barrier -> {
                // Whether its predicates matter is seen once all have come.
                uses.decide(frame, site, barrier.barrier(), lanes, -1);
                uses.decide(frame, site, barrier.threads(), lanes, -1);
            }
            default -> {
                for (Register register : exit.reads()) {
                    uses.decide(frame, site, register, lanes, -1);
                }
                exit.writes().forEach(target -> bits.define(target, lanes));
            }
        }
    }

    /// Where undefined predicates of a reduction at a barrier come from; null where all are
    // defined.
    UndefinedBits.@Nullable Origin reduced(Frame frame, Exit.Synchronize exit, int lanes) {
        if (exit.joint() instanceof Collective.Barrier barrier
                && barrier.predicate() instanceof Register predicate) {
            int undefined = frame.undefinedBits().lanes(predicate, lanes);
            return undefined == 0 ? null : uses.origin(frame, exit.site(), predicate, undefined);
        }
        return null;
    }

    private void multiply(Frame frame, UndefinedBits bits, Site site, Collective.Multiply product) {
        for (Collective.Supplied supplied : product.supplied()) {
            int lanes = bits.lanes(supplied.source(), supplied.lanes());
            if (lanes != 0 && supplied.source() instanceof Register register) {
                uses.tell(frame, site, register, lanes, SUPPLIED);
            }
        }
        ProductPropagation.carry(
                uses,
                frame,
                site,
                product.form(),
                new ProductPropagation.Inputs(product.a(), product.b(), product.c()),
                product.d());
    }

    /// D carries on what is undefined, A and B do once all warps are there; which matrices they
    /// are, and whether D counts, decides.
    private void multiply(Frame frame, Site site, Collective.MultiplyAsync product) {
        uses.decide(frame, site, product.scaleD(), -1, -1);
        uses.decide(frame, site, product.b().descriptor(), -1, -1);
        if (product.a() instanceof Collective.Multiplicand.Described described) {
            uses.decide(frame, site, described.descriptor(), -1, -1);
        }
        Collective.Metadata metadata = product.metadata();
        if (metadata != null) {
            uses.decide(frame, site, metadata.word().source(), metadata.word().lanes(), -1);
        }
        List<Register> added = frame.value(product.scaleD(), 0) != 0 ? product.d() : List.of();
        ProductPropagation.carry(
                uses,
                frame,
                site,
                product.form(),
                new ProductPropagation.Inputs(List.of(), List.of(), added),
                product.d());
    }
}
