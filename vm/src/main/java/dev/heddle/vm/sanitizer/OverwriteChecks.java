package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.AsyncReads;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Warp;

/// Whether others still use bytes of shared memory that are about to be written.
record OverwriteChecks(
        Warp warp,
        SharedFaults faults,
        AwaitedCopies copies,
        Sanitizer sanitizer,
        RowReaders readers) {
    /// Nobody may still copy into bytes that are about to be written, nor read them. Returns
    /// whether somebody does and the launch goes on.
    ///
    /// @param told whether the access is at fault already
    /// @param looksAtReads whether reads are asked for
    boolean requireFree(
            SharedShadow shadow,
            SharedAccess look,
            int i,
            int extent,
            boolean told,
            boolean looksAtReads) {
        boolean fault = false;
        if (!copies.isComplete(shadow, i)) {
            fault = true;
            if (!told) {
                Rule rule = Rule.CP_ASYNC_WRITE_BEFORE_WAIT;
                Site copy = faults.known(shadow.copies().site(i));
                warp.faults()
                        .tell(
                                rule,
                                look.site(),
                                copy,
                                () -> faults.underWay(shadow, look, i, rule));
            }
            shadow.copies().end(i, 0);
        }
        long read =
                shadow.racingRead(
                        i,
                        look.now(),
                        other ->
                                looksAtReads
                                        && !readers.include(look.lane(), other, i)
                                        && isUsed(look, other));
        if (read != Stamp.NOBODY && warp.cta().looksAtOrder()) {
            if (!told && !fault) {
                faults.tellRace(look, read, "read");
            }
            fault = true;
        }
        AsyncReads.Entry async =
                shadow.asyncReads().racing(i, i + extent, warp.thread(look.lane()));
        if (async != null
                && warp.cta().grid().checks(RuleGroup.ASYNC)
                && warp.cta().looksAtOrder()) {
            if (!told && !fault) {
                warp.faults().tell(faults.inUse(look, async.site(), "read"));
            }
            fault = true;
        }
        return fault;
    }

    /// Whether what an access read was used, or cannot be told not to have been.
    private boolean isUsed(SharedAccess look, long read) {
        int thread = Stamp.thread(read);
        Definedness reader =
                faults.isAsync(read) ? null : sanitizer.warp(thread / 32).definedness();
        return reader == null
                || Stamp.kind(read) != Stamp.WEAK
                || reader.isUsed(
                        Stamp.site(read),
                        Stamp.clock(read),
                        thread % 32,
                        () -> faults.race(look, read, "read"));
    }
}
