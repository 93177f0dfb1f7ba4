package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.state.Frame;

import java.util.ArrayList;
import java.util.List;

/// How undefined values go through what lanes of a warp do together.
final class CollectivePropagation {
    private static final String SUPPLIED = " (they supply the metadata under this selector)";

    private final UndefinedUses uses;

    CollectivePropagation(UndefinedUses uses) {
        this.uses = uses;
    }

    /// Before lanes do together what they came for.
    void together(Frame frame, Exit.Synchronize exit, int lanes) {
        UndefinedBits bits = frame.undefinedBits();
        Site site = exit.site();
        switch (exit.joint()) {
            case Collective.Shuffle shuffle -> shuffle(frame, bits, site, shuffle, lanes);
            case Collective.Vote vote -> merge(frame, bits, exit, vote.predicate(), lanes);
            case Collective.Match match -> merge(frame, bits, exit, match.value(), lanes);
            case Collective.Reduce reduce -> merge(frame, bits, exit, reduce.value(), lanes);
            case Collective.TransposeMatrix transpose ->
                    merge(frame, bits, exit, transpose.value(), lanes);
            case Collective.Multiply product -> multiply(frame, bits, site, product);
            case Collective.LoadMatrix load -> {
                uses.decide(frame, site, load.base(), lanes, -1);
                load.targets().forEach(target -> bits.define(target, -1));
            }
            case Collective.StoreMatrix store -> uses.decide(frame, site, store.base(), lanes, -1);
            case Collective.MultiplyAsync product -> multiply(frame, bits, site, product);
            default -> {
                for (Register register : exit.reads()) {
                    uses.decide(frame, site, register, lanes, -1);
                }
                exit.writes().forEach(target -> bits.define(target, lanes));
            }
        }
    }

    private void shuffle(
            Frame frame, UndefinedBits bits, Site site, Collective.Shuffle shuffle, int lanes) {
        uses.decide(frame, site, shuffle.lane(), lanes, 31);
        uses.decide(frame, site, shuffle.clamp(), lanes, 0x1f1f);
        if (shuffle.members() != null) {
            uses.decide(frame, site, shuffle.members(), lanes, -1);
        }
        long[] results = new long[32];
        long any = 0;
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                int from = frame.sourceLane(shuffle, lane);
                results[lane] = bits.of(shuffle.value(), from >= 0 ? from : lane);
                any |= results[lane];
            }
        }
        if (any != 0 && shuffle.value() instanceof Register source) {
            bits.comesFrom(
                    shuffle.target(), uses.origin(frame, site, source, bits.lanes(source, lanes)));
        }
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                bits.set(shuffle.target(), lane, results[lane]);
            }
        }
        if (shuffle.inRange() != null) {
            bits.define(shuffle.inRange(), lanes);
        }
    }

    /// One value of all lanes goes into every result.
    private void merge(
            Frame frame, UndefinedBits bits, Exit.Synchronize exit, Source value, int lanes) {
        for (Register register : exit.reads()) {
            if (!register.equals(value)) {
                uses.decide(frame, exit.site(), register, lanes, -1);
            }
        }
        int undefined = bits.lanes(value, lanes);
        List<Register> targets = exit.writes();
        if (undefined != 0 && value instanceof Register source) {
            Definedness.spoil(
                    bits, targets, lanes, uses.origin(frame, exit.site(), source, undefined));
        } else {
            targets.forEach(target -> bits.define(target, lanes));
        }
    }

    private void multiply(Frame frame, UndefinedBits bits, Site site, Collective.Multiply product) {
        for (Collective.Supplied supplied : product.supplied()) {
            int lanes = bits.lanes(supplied.source(), supplied.lanes());
            if (lanes != 0 && supplied.source() instanceof Register register) {
                uses.tell(frame, site, register, lanes, SUPPLIED);
            }
        }
        List<Source> operands = new ArrayList<>(product.a());
        operands.addAll(product.b());
        operands.addAll(product.c());
        for (Source operand : operands) {
            int undefined = bits.lanes(operand, -1);
            if (undefined != 0 && operand instanceof Register source) {
                Definedness.spoil(
                        bits, product.d(), -1, uses.origin(frame, site, source, undefined));
                return;
            }
        }
        product.d().forEach(target -> bits.define(target, -1));
    }

    /// A and D carry on what is undefined; which matrices they are, and whether D counts, decides.
    private void multiply(
            Frame frame, UndefinedBits bits, Site site, Collective.MultiplyAsync product) {
        uses.decide(frame, site, product.scaleD(), -1, -1);
        uses.decide(frame, site, product.b().descriptor(), -1, -1);
        List<Source> carried = new ArrayList<>();
        switch (product.a()) {
            case Collective.Multiplicand.InRegisters(List<Source> registers, boolean _) ->
                    carried.addAll(registers);
            case Collective.Multiplicand.Described described ->
                    uses.decide(frame, site, described.descriptor(), -1, -1);
        }
        Collective.Metadata metadata = product.metadata();
        if (metadata != null) {
            uses.decide(frame, site, metadata.word().source(), metadata.word().lanes(), -1);
        }
        if (frame.value(product.scaleD(), 0) != 0) {
            carried.addAll(product.d());
        }
        for (Source operand : carried) {
            int undefined = bits.lanes(operand, -1);
            if (undefined != 0 && operand instanceof Register source) {
                Definedness.spoil(
                        bits, product.d(), -1, uses.origin(frame, site, source, undefined));
                return;
            }
        }
        product.d().forEach(target -> bits.define(target, -1));
    }
}
