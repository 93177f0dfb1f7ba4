package dev.heddle.programs.device;

import static dev.heddle.isa.rule.Rule.UNFOLLOWED_VALUE;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.HostCode;
import dev.heddle.programs.host.Settings;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Observer;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.Session;
import dev.heddle.vm.memory.MemorySnapshot;
import dev.heddle.vm.report.Finding;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Runs the launches of a process, and hands on what they print, find and leave in memory.
final class Launches {
    private final Session session;
    private final Settings settings;
    private final HostCode host;
    private final StreamRaces races;
    private final RunReport report;
    private final ProgramFindings findings;
    private final @Nullable SavedLaunches files;
    private final Output output = new Output();
    private final SecondLooks followed = new SecondLooks();
    private final AtomicLong count = new AtomicLong();
    private final AtomicInteger running = new AtomicInteger();

    Launches(
            Session session,
            Settings settings,
            HostCode host,
            StreamRaces races,
            RunReport report,
            ProgramFindings findings) {
        this.session = session;
        this.settings = settings;
        this.host = host;
        this.races = races;
        this.report = report;
        this.findings = findings;
        Path saved = settings.saved();
        files = saved == null ? null : new SavedLaunches(saved, session.memory());
    }

    /// The number of a launch that begins now.
    long nextNumber() {
        return count.incrementAndGet();
    }

    /// Runs a launch.
    ///
    /// @param from where the host asked for it
    /// @return the code with which it ended the device, or that of success
    int run(Kernel kernel, Launch launch, long number, long from) {
        int failure = ErrorCode.SUCCESS;
        try {
            SavedLaunches.Saved saved = save(kernel, launch, number);
            Supplier<Origin> origin = () -> new Origin.Launched(kernel, number, host.call(from));
            Outcome outcome = outcome(kernel, launch, number, origin);
            if (saved != null) {
                saved.finish(outcome);
            }
            output.print(outcome.output());
            report.add(kernel, launch, number, from, outcome);
            for (Finding finding : outcome.findings()) {
                findings.add(new ProgramFindings.Found(origin.get(), finding));
                if (!outcome.found().complete() || settings.stopsAtFirst()) {
                    failure = ProgramFindings.code(finding);
                }
            }
            outcome.warnings().forEach(one -> findings.warn(kernel.code(), origin, one));
            findings.pass(outcome.found().suppressed(), outcome.found().omitted());
        } catch (RuntimeException | Error e) {
            System.err.println("heddle: launch " + number + ": " + e);
            failure = ErrorCode.UNKNOWN;
        }
        return failure;
    }

    private SavedLaunches.@Nullable Saved save(Kernel kernel, Launch launch, long number) {
        if (files == null) {
            return null;
        }
        try {
            return files.before(kernel, launch, number);
        } catch (IOException e) {
            System.err.println(
                    "heddle: launch " + number + " cannot be written: " + e.getMessage());
            return null;
        }
    }

    /// Runs a launch, and looks at what it accessed.
    private Outcome outcome(Kernel kernel, Launch launch, long number, Supplier<Origin> origin) {
        boolean alone = running.incrementAndGet() == 1;
        long start = System.nanoTime();
        try (ProgressReport progress = ProgressReport.of(Origin.Launched.words(kernel, number))) {
            LaunchObserver observer = new LaunchObserver(progress, races.areFollowed());
            Outcome outcome = outcome(kernel, launch, alone, observer);
            if (outcome.found().complete()) {
                races.look(origin, kernel, observer.footprints());
            }
            return outcome;
        } finally {
            running.decrementAndGet();
            followed.took(kernel, System.nanoTime() - start);
        }
    }

    /// Runs a launch. Where it stands alone, what it does with undefined values can be looked at
    /// twice. Beside others there is no way back; where one of its kernel had to be looked at
    /// before, it is run the slow way at once.
    private Outcome outcome(Kernel kernel, Launch launch, boolean alone, Observer observer) {
        if (!launch.checks().contains(RuleGroup.DEFINEDNESS)) {
            return session.launch(kernel, launch, observer);
        }
        if (!alone && followed.isNeeded(kernel)) {
            return session.follow(kernel, launch, observer);
        }
        MemorySnapshot.Cost cost = alone ? followed.cost(kernel) : MemorySnapshot.Cost.NONE;
        try (MemorySnapshot before = session.memory().snapshot(cost)) {
            Outcome outcome = session.launch(kernel, launch, observer, before);
            boolean isDoubted =
                    outcome.warnings().stream().anyMatch(one -> one.rule() == UNFOLLOWED_VALUE);
            if (before.isRestored() || isDoubted) {
                followed.needs(kernel);
            }
            return outcome;
        }
    }
}
