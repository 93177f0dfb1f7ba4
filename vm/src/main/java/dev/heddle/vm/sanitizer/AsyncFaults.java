package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Party;
import dev.heddle.vm.shadow.AsyncOperation;
import dev.heddle.vm.shadow.AsyncOperation.Completion;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.FindingFactory;

import org.jspecify.annotations.Nullable;

/// Says what is wrong with an asynchronous operation in shared memory, and who else has a part in
/// it.
record AsyncFaults(Cta cta) {
    /// It writes what somebody still uses.
    KernelFault overwrites(AsyncOperation operation, int at, int thread, int site, String done) {
        return fault(
                Rule.DATA_RACE,
                operation,
                operation.thread(),
                "%s writes %s, which %s has %s: nothing orders that before the copy"
                        .formatted(
                                operation.site().mnemonic(),
                                place(operation, at),
                                who(operation, thread),
                                done),
                note(operation, thread, site, done));
    }

    /// It stores what another store has stored, and nothing orders the two.
    ///
    /// @param party that of the other
    KernelFault same(AsyncOperation operation, int at, Party party) {
        FindingFactory faults = cta.warps()[operation.thread() / 32].faults();
        return faults.fault(
                Rule.SAME_VALUE_STORES,
                operation.site(),
                1 << operation.thread() % 32,
                "%s writes %s, the same value as %s: nothing orders the two"
                        .formatted(
                                operation.site().mnemonic(),
                                place(operation, at),
                                isAsync(party.thread())
                                        ? "another asynchronous operation"
                                        : party.name()),
                note(party, "written"));
    }

    /// A `cp.async` into what it uses was not waited for.
    KernelFault underWay(Rule rule, AsyncOperation operation, int at, int copier, int site) {
        return fault(
                rule,
                operation,
                operation.thread(),
                "%s uses %s, into which a cp.async of %s is still copying: that thread has not waited for it"
                        .formatted(
                                operation.site().mnemonic(),
                                place(operation, at),
                                party(operation, copier, site).name()),
                note(operation, copier, site, "copied"));
    }

    /// It reads what is not written yet.
    ///
    /// @param reader the thread that it reads it for
    /// @param write the stamp of the other access
    KernelFault unordered(AsyncOperation operation, int at, int reader, long write) {
        return fault(
                Rule.DATA_RACE,
                operation,
                reader,
                "%s reads %s, which %s has written: nothing orders that before"
                        .formatted(
                                operation.site().mnemonic(),
                                place(operation, at),
                                who(operation, Stamp.thread(write))),
                note(operation, Stamp.thread(write), Stamp.site(write), "written"));
    }

    /// It uses what was written through another proxy.
    ///
    /// @param user the thread that it uses it for
    /// @param target the CTA whose memory it writes, or null where it reads
    KernelFault unfenced(
            AsyncOperation operation, int at, int user, long write, @Nullable Cta target) {
        Party writer =
                cta.warps()[operation.thread() / 32]
                        .faults()
                        .party(
                                (int) (target == null ? cta : target).index(),
                                Stamp.thread(write),
                                Stamp.site(write));
        return unfenced(operation, at, user, writer, target != null);
    }

    /// The same of a write by any thread.
    KernelFault unfenced(AsyncOperation operation, int at, int user, Party writer, boolean writes) {
        return fault(
                Rule.MISSING_PROXY_FENCE,
                operation,
                user,
                "%s %s %s through the async proxy, which %s has written through the generic proxy, with no fence.proxy.async between"
                        .formatted(
                                operation.site().mnemonic(),
                                writes ? "writes" : "reads",
                                place(operation, at),
                                writer),
                writer.note("written"));
    }

    /// A product reads what nobody wrote.
    ///
    /// @param thread the first of its warpgroup
    KernelFault unwritten(Site site, int thread, int at) {
        return cta.warps()[thread / 32]
                .faults()
                .undefined(
                        Rule.UNINITIALIZED_READ,
                        site,
                        -1,
                        "%s reads %s, which nobody wrote"
                                .formatted(site.mnemonic(), place(thread, at)));
    }

    private String place(AsyncOperation operation, int at) {
        return place(operation.thread(), at);
    }

    private String place(int thread, int at) {
        SymbolNames names = new SymbolNames(cta.warps()[thread / 32]);
        return "shared address 0x%x%s".formatted(at, names.inVariable(Space.SHARED, at, 0));
    }

    private Party party(AsyncOperation operation, int thread, int site) {
        return cta.warps()[operation.thread() / 32].faults().party(thread, site);
    }

    private boolean isAsync(int thread) {
        return thread >= 32 * cta.warps().length;
    }

    private String who(AsyncOperation operation, int thread) {
        return isAsync(thread)
                ? "another asynchronous operation"
                : party(operation, thread, Stamp.NO_SITE).toString();
    }

    private Finding.Note note(AsyncOperation operation, int thread, int site, String done) {
        return note(party(operation, thread, site), done);
    }

    private Finding.Note note(Party party, String done) {
        return isAsync(party.thread())
                ? new Finding.Note(party.site(), done + " here")
                : party.note(done);
    }

    /// @param thread in whose place the operation is at fault
    private KernelFault fault(
            Rule rule, AsyncOperation operation, int thread, String message, Finding.Note note) {
        boolean isWhole = operation.completion() instanceof Completion.WgmmaGroup;
        return cta.warps()[thread / 32]
                .faults()
                .undefined(rule, operation.site(), isWhole ? -1 : 1 << thread % 32, message, note);
    }
}
