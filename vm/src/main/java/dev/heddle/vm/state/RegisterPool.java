package dev.heddle.vm.state;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Site;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The registers of a CTA that no warp has: `setmaxnreg.dec` gives to them, and `setmaxnreg.inc`
/// waits until there are enough (PTX ISA 9.7.19.5).
///
/// As a launch begins, each warp has those of `.maxnreg`, and there are no other. It may have fewer
/// (PTX ISA 11.4.1), and then there are fewer in all: who waits for ever here does so there, too.
/// Where a kernel does not say how many these are, nobody waits.
public final class RegisterPool {
    private final int atLaunch;
    private final int[] owned;
    private final List<Request> waiting = new ArrayList<>();
    private int free;

    /// Warps that have executed one, as a mask.
    private int changed;

    /// The lanes of a warp that are to have another number of registers.
    public record Request(
            Frame frame, Exit.Synchronize exit, Collective.SetRegisters step, int mask) {
        public Site site() {
            return exit.site();
        }

        public Warp warp() {
            return frame.warp;
        }
    }

    /// Of so many warps.
    ///
    /// @param atLaunch registers of a thread, or 0 where they are not known
    RegisterPool(int warps, int atLaunch) {
        this.atLaunch = atLaunch;
        owned = new int[warps];
        clear();
    }

    void clear() {
        waiting.clear();
        free = 0;
        changed = 0;
        Arrays.fill(owned, atLaunch);
    }

    /// A warp comes to a `setmaxnreg`: it goes on once the registers are there.
    public void come(Request request) {
        waiting.add(request);
        int before;
        do {
            before = waiting.size();
            waiting.removeIf(this::grant);
        } while (waiting.size() < before);
    }

    private boolean grant(Request request) {
        int warp = request.warp().index();
        // Who asks the wrong way, which is undefined, keeps what it has.
        if (!isWrongWay(warp, request.step())) {
            int more = more(request);
            if (atLaunch != 0 && more > free) {
                return false;
            }
            free -= more;
            owned[warp] = request.step().count();
            changed |= 1 << warp;
        }
        request.frame().park(request.exit().next(), request.mask());
        return true;
    }

    /// Whether a warp that takes registers has more than it asks for, or one that gives has fewer.
    public boolean isWrongWay(int warp, Collective.SetRegisters step) {
        if (step.increases()) {
            return (changed >>> warp & 1) != 0 && step.count() < owned[warp];
        }
        return owned[warp] != 0 && step.count() > owned[warp];
    }

    /// Registers that each thread of a warp is to have beyond those that it has. Who first takes
    /// up to fewer than `.maxnreg` allows began with no more than that.
    public int more(Request request) {
        int more = request.step().count() - owned[request.warp().index()];
        return request.step().increases() ? Math.max(more, 0) : more;
    }

    /// Registers of each thread of a warp, or 0 where that is not known.
    public int owned(int warp) {
        return owned[warp];
    }

    /// Registers that nobody has, for each thread of a warp.
    public int free() {
        return free;
    }

    /// Who waits for registers.
    public List<Request> waiting() {
        return waiting;
    }
}
