package dev.heddle.vm.collective;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.semantics.ExchangedValues;
import dev.heddle.vm.semantics.WarpFunction;
import dev.heddle.vm.state.Frame;

import java.util.IdentityHashMap;

/// Computes what lanes of a warp exchange: in two steps, for between them checks look at what was
/// read and registers still hold it.
final class ExchangeUnit {
    // One for all exchanges of the warp: a new one each time would be most of what they allocate.
    private final ExchangedValues values = new ExchangedValues();

    // By identity: hashing a name takes as long as most of them.
    private final IdentityHashMap<Collective.Exchange, WarpFunction> functions =
            new IdentityHashMap<>();

    /// Computes the results of some lanes.
    ExchangedValues compute(Frame frame, Collective.Exchange exchange, int lanes) {
        values.begin(lanes);
        for (int i = 0; i < exchange.sources().size(); i++) {
            frame.values(exchange.sources().get(i), values.operand(i));
        }
        functions.computeIfAbsent(exchange, one -> WarpFunction.of(one.function())).apply(values);
        return values;
    }

    /// Writes the results that were computed last.
    void write(Frame frame, Collective.Exchange exchange) {
        for (int i = 0; i < exchange.targets().size(); i++) {
            Register target = exchange.targets().get(i);
            if (target != null) {
                frame.setWhere(values.lanes(), target, values.result(i));
            }
        }
    }
}
