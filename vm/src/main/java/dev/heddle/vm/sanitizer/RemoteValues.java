package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/// What lanes read from shared memory of another CTA: values that nobody wrote are told, or
/// followed, as those of their own CTA are.
record RemoteValues(Warp warp, SharedFaults faults, @Nullable Definedness definedness) {
    /// Lanes read, before anything is changed.
    ///
    /// @param owner the CTA that has the memory
    /// @param offsets by lane, where it reads there
    void read(RemoteAccess remote, Cta owner, long[] offsets, int lanes) {
        SharedShadow there = owner.shadow();
        if (there == null || !remote.kind().reads() || !checks()) {
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            requireWritten(remote, owner, there, Integer.numberOfTrailingZeros(rest));
        }
        if (definedness == null) {
            return;
        }
        MemoryPropagation memory = definedness.memory();
        if (remote.kind().writes()) {
            memory.update(there.undefined(), remote.site(), offsets, remote.bytes(), lanes);
        } else {
            memory.load(
                    definedness, there.undefined(), remote.site(), offsets, remote.bytes(), lanes);
        }
    }

    private boolean checks() {
        return warp.cta().grid().checks(RuleGroup.DEFINEDNESS);
    }

    private void requireWritten(RemoteAccess remote, Cta owner, SharedShadow there, int lane) {
        int from = remote.offset(lane);
        int end = from + remote.bytes();
        Definedness follower = remote.kind().writes() ? null : definedness;
        for (int at = there.firstUnwritten(from, end);
                at >= 0;
                at = there.firstUnwritten(at + 1, end)) {
            int missing = at - from;
            Supplier<KernelFault> fault = () -> unwritten(remote, owner, lane, missing);
            if (follower == null || !follower.takes(lane, missing, fault)) {
                warp.faults().tell(Rule.UNINITIALIZED_READ, remote.site(), null, fault);
                return;
            }
        }
    }

    private KernelFault unwritten(RemoteAccess remote, Cta owner, int lane, int missing) {
        String words =
                faults.words(
                        remote.site(),
                        remote.kind(),
                        remote.offset(lane),
                        remote.bytes(),
                        faults.names().ofOther(owner));
        return warp.faults()
                .undefined(
                        Rule.UNINITIALIZED_READ,
                        remote.site(),
                        1 << lane,
                        "%s, of which nobody wrote byte %d".formatted(words, missing));
    }
}
