package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.semantics.ExchangedValues;
import dev.heddle.vm.semantics.WarpFunction;
import dev.heddle.vm.semantics.WarpFunction.Dependence;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.state.Frame;

import java.util.List;

/// How undefined values go through what lanes of a warp do together.
record CollectivePropagation(UndefinedUses uses) {
    private static final String SUPPLIED = " (they supply the metadata under this selector)";

    /// Before lanes do together what they came for.
    void together(Frame frame, Exit.Synchronize exit, int lanes) {
        UndefinedBits bits = frame.undefinedBits();
        Site site = exit.site();
        switch (exit.joint()) {
            case Collective.Exchange exchange -> exchange(frame, site, exchange, lanes);
            case Collective.Multiply product -> multiply(frame, bits, site, product);
            case Collective.AccessMatrix access -> {
                // What is in the rows, or goes there, is followed byte by byte.
                uses.decide(frame, site, access.base(), lanes, -1);
                access.targets().forEach(target -> bits.define(target, -1));
            }
            case Collective.MultiplyAsync product -> multiply(frame, site, product);
            default -> {
                for (Register register : exit.reads()) {
                    uses.decide(frame, site, register, lanes, -1);
                }
                exit.writes().forEach(target -> bits.define(target, lanes));
            }
        }
    }

    /// Operands that decide must be defined; what else is undefined goes into the results.
    private void exchange(Frame frame, Site site, Collective.Exchange exchange, int lanes) {
        UndefinedBits bits = frame.undefinedBits();
        WarpFunction function = WarpFunction.of(exchange.function());
        uses.decide(frame, site, exchange.members(), lanes, -1);
        Register carried = null;
        for (int i = 0; i < exchange.sources().size(); i++) {
            long deciding = function.deciding(i);
            if (exchange.sources().get(i) instanceof Register register) {
                if (deciding != 0) {
                    uses.decide(frame, site, register, lanes, deciding);
                } else {
                    carried = register;
                }
            }
        }
        List<Register> targets = exchange.effects().writes();
        int takenFrom = function.dependence() == Dependence.MOVED ? -1 : lanes;
        int undefined = carried == null ? 0 : bits.lanes(carried, takenFrom);
        if (carried == null || undefined == 0) {
            targets.forEach(target -> bits.define(target, lanes));
            return;
        }
        UndefinedBits.Origin origin = uses.origin(frame, site, carried, undefined);
        switch (function.dependence()) {
            case MOVED -> move(frame, exchange, function, origin, lanes);
            case RISING -> rise(frame, exchange, function, origin.computed(), lanes);
            case MERGED -> Definedness.spoil(bits, targets, lanes, origin.computed());
        }
    }

    /// A bit of a result is undefined where it is set with all undefined bits set, and is not with
    /// none.
    private static void rise(
            Frame frame,
            Collective.Exchange exchange,
            WarpFunction function,
            UndefinedBits.Origin origin,
            int lanes) {
        UndefinedBits bits = frame.undefinedBits();
        ExchangedValues least = risen(frame, exchange, function, lanes, false);
        ExchangedValues most = risen(frame, exchange, function, lanes, true);
        for (Register target : exchange.effects().writes()) {
            int result = exchange.targets().indexOf(target);
            bits.define(target, lanes);
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                long open = least.given(result, lane) ^ most.given(result, lane);
                if (open != 0) {
                    bits.comesFrom(target, origin);
                    bits.set(target, lane, open);
                }
            }
        }
    }

    /// What lanes get where all undefined bits are set, or none.
    private static ExchangedValues risen(
            Frame frame,
            Collective.Exchange exchange,
            WarpFunction function,
            int lanes,
            boolean areSet) {
        ExchangedValues values = new ExchangedValues();
        values.begin(lanes);
        Source source = exchange.sources().getFirst();
        UndefinedBits bits = frame.undefinedBits();
        if (source.width() == Width.PREDICATE) {
            int open = bits.lanes(source, lanes);
            int holding = frame.condition(source);
            values.predicate(0, areSet ? holding | open : holding & ~open);
        } else {
            long[] operand = values.operand(0);
            frame.values(source, operand);
            for (int lane = 0; lane < 32; lane++) {
                long open = bits.of(source, lane);
                operand[lane] = areSet ? operand[lane] | open : operand[lane] & ~open;
            }
        }
        function.apply(values);
        return values;
    }

    /// Undefined bits move from lane to lane as values do.
    private static void move(
            Frame frame,
            Collective.Exchange exchange,
            WarpFunction function,
            UndefinedBits.Origin origin,
            int lanes) {
        UndefinedBits bits = frame.undefinedBits();
        ExchangedValues moved = new ExchangedValues();
        moved.begin(lanes);
        for (int i = 0; i < exchange.sources().size(); i++) {
            Source source = exchange.sources().get(i);
            if (function.deciding(i) != 0) {
                frame.values(source, moved.operand(i));
                continue;
            }
            for (int lane = 0; lane < 32; lane++) {
                moved.operand(i)[lane] = bits.of(source, lane);
            }
        }
        function.apply(moved);
        exchange.effects().writes().forEach(target -> bits.define(target, lanes));
        Register target = exchange.targets().getFirst();
        for (int rest = target == null ? 0 : lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            if (moved.result(0)[lane] != 0) {
                bits.comesFrom(target, origin);
                bits.set(target, lane, moved.result(0)[lane]);
            }
        }
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

    /// A and D carry on what is undefined; which matrices they are, and whether D counts, decides.
    private void multiply(Frame frame, Site site, Collective.MultiplyAsync product) {
        uses.decide(frame, site, product.scaleD(), -1, -1);
        uses.decide(frame, site, product.b().descriptor(), -1, -1);
        List<Source> a = List.of();
        switch (product.a()) {
            case Collective.Multiplicand.InRegisters(List<Source> registers, boolean _) ->
                    a = registers;
            case Collective.Multiplicand.Described described ->
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
                new ProductPropagation.Inputs(a, List.of(), added),
                product.d());
    }
}
