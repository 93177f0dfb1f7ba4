package dev.heddle.vm.collective;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.semantics.ExchangedValues;
import dev.heddle.vm.semantics.WarpFunction;
import dev.heddle.vm.state.Meeting;
import dev.heddle.vm.state.MeetingPlace;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Computes what lanes of a warp exchange: in two steps, for between them checks look at what was
/// read and registers still hold it.
final class ExchangeUnit {
    private static final int KEPT = 16;

    // One for all exchanges of the warp: a new one each time would be most of what they allocate.
    private final ExchangedValues values = new ExchangedValues();

    // The function of the exchange that had this place last, by the number of its instruction:
    // looking up a name takes as long as a vote.
    private final Collective.@Nullable Exchange[] recent = new Collective.Exchange[KEPT];
    private final WarpFunction[] functions = new WarpFunction[KEPT];

    /// Computes the results of lanes that exchange with one another.
    ExchangedValues compute(Meeting meeting) {
        values.begin(meeting.lanes());
        Collective.Exchange exchange = meeting.exchange();
        for (int i = 0; i < exchange.sources().size(); i++) {
            if (exchange.sources().get(i).width() == Width.PREDICATE) {
                values.predicate(i, meeting.condition(i));
            } else {
                meeting.values(i, values.operand(i));
            }
        }
        function(meeting.first().exit().site(), exchange).apply(values);
        return values;
    }

    @SuppressWarnings("ReferenceEquality") // the same one, or it is looked up again
    private WarpFunction function(Site site, Collective.Exchange exchange) {
        int place = site.number() % KEPT;
        if (recent[place] != exchange) {
            recent[place] = exchange;
            functions[place] = WarpFunction.of(exchange.function());
        }
        return functions[place];
    }

    /// Writes the results that were computed last, those of the lanes at one place.
    void write(MeetingPlace place) {
        List<@Nullable Register> targets = place.exchange().targets();
        for (int i = 0; i < targets.size(); i++) {
            Register target = targets.get(i);
            if (target == null) {
                continue;
            }
            if (values.isCommon(i)) {
                place.frame().setWhere(place.lanes(), target, values.common(i));
            } else {
                place.frame().setWhere(place.lanes(), target, values.result(i));
            }
        }
    }
}
