package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.DefinednessStep;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.ProductPaths;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.AsyncOperation;
import dev.heddle.vm.shadow.AsyncOperation.Completion;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The registers of a warp that products of `wgmma` use until they are waited for (PTX ISA 9.7.15):
/// nobody may touch an accumulator, nor what A is read from but for other products.
public final class RegistersInFlight {
    private final Warp warp;
    private final @Nullable ProductPaths paths;
    private final List<Entry> entries = new ArrayList<>();
    private boolean isFenced;

    /// A product under way.
    private record Entry(Site site, int group, List<Register> sources, List<Register> targets) {}

    RegistersInFlight(Warp warp) {
        this.warp = warp;
        paths = warp.cta().grid().productPaths();
    }

    void clear() {
        entries.clear();
        warp.watch(false);
        isFenced = false;
    }

    /// Whether products are under way: then steps that others look at are to be shown here.
    boolean isActive() {
        return !entries.isEmpty();
    }

    /// `wgmma.fence` of the warp.
    public void fence() {
        isFenced = true;
    }

    void began(AsyncOperation operation) {
        if (!isFenced) {
            warp.faults()
                    .tell(
                            warp.faults()
                                    .undefined(
                                            Rule.MISSING_WGMMA_FENCE,
                                            operation.site(),
                                            -1,
                                            "%s uses registers of warp %d, which has executed no wgmma.fence before"
                                                    .formatted(
                                                            operation.site().mnemonic(),
                                                            warp.index())));
        }
        if (operation.completion() instanceof Completion.WgmmaGroup group) {
            entries.add(
                    new Entry(
                            operation.site(),
                            group.group(),
                            operation.sources(),
                            operation.targets()));
            warp.watch(warp.isWatched() || mayBeTouched(warp.running()));
        }
    }

    private boolean mayBeTouched(@Nullable Frame running) {
        return paths == null || running == null || paths.mayTouch(running.code);
    }

    void waited(int group) {
        entries.removeIf(entry -> entry.group <= group);
        warp.watch(warp.isWatched() && isActive());
    }

    /// Before lanes take a step.
    void before(Step step) {
        if (step instanceof DefinednessStep) {
            return;
        }
        look(step.site(), step.reads(), step.writes(), false);
    }

    /// Before lanes leave a block.
    void before(Exit exit) {
        Site site = exit.site();
        if (site == null) {
            return;
        }
        boolean isProduct =
                exit instanceof Exit.Synchronize joint
                        && joint.joint() instanceof Collective.MultiplyAsync;
        // Products follow one another on the same accumulators, and read the same A.
        look(site, exit.reads(), isProduct ? List.of() : exit.writes(), isProduct);
    }

    private void look(Site site, List<Register> reads, List<Register> writes, boolean isProduct) {
        for (Entry entry : entries) {
            for (Register register : reads) {
                if (entry.targets.contains(register)) {
                    tell(site, entry, register, "reads", "accumulates in");
                }
                if (!isProduct && entry.sources.contains(register)) {
                    tell(site, entry, register, "reads", "reads matrix A from");
                }
            }
            for (Register register : writes) {
                if (entry.targets.contains(register)) {
                    tell(site, entry, register, "writes", "accumulates in");
                }
                if (entry.sources.contains(register)) {
                    tell(site, entry, register, "writes", "reads matrix A from");
                }
            }
        }
    }

    private void tell(Site site, Entry entry, Register register, String does, String uses) {
        warp.faults()
                .tell(
                        Rule.WGMMA_REGISTER_BEFORE_WAIT,
                        site,
                        entry.site,
                        () -> touched(site, entry, register, does, uses));
    }

    private KernelFault touched(
            Site site, Entry entry, Register register, String does, String uses) {
        return warp.faults()
                .undefined(
                        Rule.WGMMA_REGISTER_BEFORE_WAIT,
                        site,
                        -1,
                        "%s %s %s, which a wgmma in flight %s: warp %d has not waited for it"
                                .formatted(
                                        site.mnemonic(), does, register.name(), uses, warp.index()),
                        new Finding.Note(
                                entry.site,
                                "begun here, in wgmma group %d".formatted(entry.group)));
    }
}
