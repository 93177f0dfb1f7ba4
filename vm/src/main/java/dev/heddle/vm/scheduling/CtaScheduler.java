package dev.heddle.vm.scheduling;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.collective.Warpgroup;
import dev.heddle.vm.interpreter.Dispatcher;
import dev.heddle.vm.interpreter.Interpreter;
import dev.heddle.vm.sanitizer.Sanitizer;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Executor;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.Warp;

import java.util.ArrayList;
import java.util.List;

/// Runs the warps of a CTA in turn, and notices when they only wait.
final class CtaScheduler {
    /// Rounds of spinning before it is looked for circles: short waits are common.
    private static final int PATIENCE = 8;

    private final Cta cta;
    private final Sanitizer sanitizer;
    private final List<Warpgroup> warpgroups = new ArrayList<>();
    private final List<Dispatcher> dispatchers = new ArrayList<>();
    private final List<WarpScheduler> warps = new ArrayList<>();
    private final SpinCycleDetector stall = new SpinCycleDetector();
    private boolean stalledBefore;
    private int patience;

    CtaScheduler(Cta cta, Executor executor) {
        this.cta = cta;
        Grid grid = cta.grid();
        Interpreter interpreter = executor instanceof Interpreter own ? own : new Interpreter();
        sanitizer =
                new Sanitizer(
                        cta, interpreter.followsValues() && grid.checks(RuleGroup.DEFINEDNESS));
        for (int first = 0; first < grid.shape().warps(); first += Warpgroup.WARPS) {
            warpgroups.add(new Warpgroup(cta, first, sanitizer));
        }
        for (Warp warp : cta.warps()) {
            Warpgroup warpgroup = warpgroups.get(warp.index() / Warpgroup.WARPS);
            Dispatcher dispatcher = new Dispatcher(warp, warpgroup, sanitizer);
            dispatchers.add(dispatcher);
            warp.executedBy(dispatcher);
            warps.add(new WarpScheduler(warp, executor, interpreter, dispatcher.synchronization()));
        }
    }

    /// The CTA is at another place, its threads at the kernel's entry.
    void restart() {
        stall.clear();
        stalledBefore = false;
        patience = PATIENCE;
        sanitizer.clear();
        warpgroups.forEach(Warpgroup::clear);
        dispatchers.forEach(dispatcher -> dispatcher.synchronization().clear());
    }

    /// Whose warps it runs.
    Cta cta() {
        return cta;
    }

    /// Runs every warp as far as it gets, until all are done or all that are left only spin.
    ///
    /// @param rounds of spinning after which it gives way
    Progress run(int rounds) {
        int spun = 0;
        boolean moved = false;
        boolean isSingle = cta.cluster().size() == 1;
        while (spun < rounds) {
            boolean progress = false;
            boolean done = true;
            boolean spins = false;
            int first = cta.takeTurn();
            for (Warp warp : cta.warps()) {
                if (warp.index() < first) {
                    // They have had their turn before the executor left the CTA.
                    done &= warp.isDone();
                    progress = true;
                } else if (!warp.isDone()) {
                    progress |= warps.get(warp.index()).run();
                    done &= warp.isDone();
                    spins |= warp.hasSpun();
                }
            }
            if (done) {
                sanitizer.ended(cta);
                return Progress.DONE;
            }
            if (!progress && !isSingle) {
                return moved ? Progress.RUNNING : Progress.WAITING;
            }
            moved |= progress;
            if (!progress && !settleStragglers()) {
                throw Deadlock.waiting(cta, warpgroups);
            }
            spun += spins ? 1 : 0;
            if (spins && isStalled()) {
                if (!cta.spinsOutside() && isSingle) {
                    throw Deadlock.spinning(cta, warpgroups);
                }
                // It may have done a lot before: only the second time is it sure that nothing
                // happened since the first.
                boolean again = stalledBefore && stall.isSameAsBefore();
                stalledBefore = true;
                stall.remember();
                return again ? Progress.STALLED : Progress.RUNNING;
            }
        }
        return Progress.RUNNING;
    }

    private boolean isStalled() {
        if (patience > 0) {
            patience--;
            return false;
        }
        return stall.isCircle(cta::place, cta::fingerprint, cta.changes());
    }

    /// Lanes that wait for lanes of their warp that wait elsewhere: undefined, or resolved as
    /// hardware does. Returns whether any go on.
    boolean settleStragglers() {
        boolean settled = false;
        for (Dispatcher dispatcher : dispatchers) {
            settled |= dispatcher.synchronization().settle();
        }
        return settled;
    }

    /// What its threads wait for.
    List<Warpgroup> warpgroups() {
        return warpgroups;
    }
}
