package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.shadow.UndefinedMemory;
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
    void read(RemoteAccess remote, Cta owner, int lanes) {
        SharedShadow there = owner.shadow();
        if (there == null || !remote.kind().reads() || !checks()) {
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int from = remote.offset(lane);
            int end = from + remote.bytes();
            if (there.firstUnwritten(from, end) >= 0 || !there.undefined().isEmpty()) {
                read(remote, owner, there, lane, from, end);
            }
        }
    }

    private boolean checks() {
        return warp.cta().grid().checks(RuleGroup.DEFINEDNESS);
    }

    private void read(
            RemoteAccess remote, Cta owner, SharedShadow there, int lane, int from, int end) {
        for (int at = from; at < end; at++) {
            if (there.firstUnwritten(at, at + 1) < 0) {
                takeUndefined(remote, there.undefined(), lane, at, at - from);
                continue;
            }
            int place = at;
            Supplier<KernelFault> fault = () -> unwritten(remote, owner, lane, from, place);
            if (!isTaken(remote, lane, at - from, fault)) {
                warp.faults().tell(Rule.UNINITIALIZED_READ, remote.site(), null, fault);
                return;
            }
        }
    }

    private boolean isTaken(RemoteAccess remote, int lane, int i, Supplier<KernelFault> fault) {
        return definedness != null && !remote.kind().writes() && definedness.takes(lane, i, fault);
    }

    /// Some bits of a byte may be undefined.
    private void takeUndefined(
            RemoteAccess remote, UndefinedMemory undefined, int lane, int at, int i) {
        UndefinedBits.Origin origin = undefined.origin(at);
        if (origin == null || definedness == null) {
            return;
        }
        boolean isTaken =
                !remote.kind().writes()
                        && definedness.takes(lane, i, undefined.bits(at), () -> origin);
        if (!isTaken) {
            definedness.memory().decide(undefined, remote.site(), at, at + 1);
        }
    }

    private KernelFault unwritten(RemoteAccess remote, Cta owner, int lane, int from, int at) {
        return warp.faults()
                .undefined(
                        Rule.UNINITIALIZED_READ,
                        remote.site(),
                        1 << lane,
                        "%s shared address 0x%x%s of the CTA of rank %d, of which nobody wrote byte %d"
                                .formatted(
                                        AccessFaults.words(
                                                remote.site(), remote.kind(), remote.bytes()),
                                        from,
                                        faults.variable(from, remote.bytes()),
                                        owner.rank(),
                                        at - from));
    }
}
