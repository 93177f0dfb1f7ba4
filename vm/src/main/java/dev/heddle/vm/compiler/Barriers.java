package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Source;

/// The barriers at which nothing happens but waiting.
final class Barriers {
    private static final int COUNT = 16;

    private Barriers() {}

    /// Whether a block ends in a `bar.sync` of a constant number for the whole CTA.
    static boolean isPlain(Exit exit) {
        return number(exit) >= 0;
    }

    /// The number of a plain barrier, or -1 where an exit is none.
    static int number(Exit exit) {
        return exit instanceof Exit.Synchronize joint
                        && joint.guard() == null
                        && joint.joint() instanceof Collective.Barrier barrier
                        && barrier.arrival() == Collective.Barrier.Arrival.SYNC
                        && barrier.aligned()
                        && barrier.threads() == null
                        && barrier.target() == null
                        && barrier.predicate() == null
                        && barrier.barrier() instanceof Source.Constant(_, long number)
                        && number < COUNT
                ? (int) number
                : -1;
    }
}
