package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Observer;
import dev.heddle.vm.ir.BulkStep;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.report.Suppressions;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.StepListener;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The search for races against an oracle that knows nothing of it, over random programs.
///
/// `-Dheddle.races=100000` asks for more of them, `-Dheddle.races.compiled=1` for all of them to be
/// compiled as well, `-Dheddle.seed=…` for others; a failure names its own.
@DisplayName("races in shared memory, against all relations of chapter 8")
final class RaceOracleTest {
    private static final int PROGRAMS = Integer.getInteger("heddle.races", 300);
    /// Of so many programs one is run by the compiler too.
    private static final int COMPILED = Integer.getInteger("heddle.races.compiled", 10);

    private static final long SEED = Long.getLong("heddle.seed", 1);

    /// Values are not followed: the oracle has no eye for what becomes of what a load reads.
    private static final Set<RuleGroup> CHECKS =
            EnumSet.complementOf(EnumSet.of(RuleGroup.DEFINEDNESS));

    /// The oracle knows neither start nor end of a CTA; programs need not wait for each phase, and
    /// reduce in their own CTA by `red.async`, too.
    private static final Suppressions ENDS =
            Suppressions.parse(
                    "access-to-exited-cta\n"
                            + "access-to-unstarted-cta\n"
                            + "mbarrier-phase-unseen\n"
                            + "async-store-misplaced",
                    "known.txt");

    private static final Set<Rule> RULES =
            Set.of(
                    Rule.DATA_RACE,
                    Rule.CP_ASYNC_READ_BEFORE_WAIT,
                    Rule.CP_ASYNC_WRITE_BEFORE_WAIT,
                    Rule.ASYNC_READ_BEFORE_COMPLETION,
                    Rule.ASYNC_WRITE_BEFORE_COMPLETION,
                    Rule.MISSING_PROXY_FENCE);

    /// Tells the oracle what runs.
    private record Recorder(List<CausalityOracle> oracles) implements StepListener, Observer {
        @Override
        public void before(Frame frame, Step step, int mask) {
            int lanes = frame.where(step.guard(), mask);
            if (lanes == 0 || isSecondHalf(step)) {
                return;
            }
            if (step instanceof Step.Load
                    || step instanceof Step.Store
                    || step instanceof Step.Atomic
                    || step instanceof Step.Fence
                    || step instanceof Step.MemoryBarrierObject
                    || step instanceof Step.AsyncCopy
                    || step instanceof Step.ProxyFence
                    || step instanceof BulkStep
                    || step instanceof Step.AsyncGroup group
                            && group.kind() == Step.AsyncGroup.Kind.WAIT) {
                run(step.site(), frame, lanes);
            }
        }

        private void run(Site site, Frame frame, int lanes) {
            oracles.forEach(each -> each.run(site.position().line(), warp(frame), lanes));
        }

        /// The transaction of a store or reduction, which comes with it.
        private static boolean isSecondHalf(Step step) {
            InstructionKind kind = step.site().kind();
            return step instanceof Step.MemoryBarrierObject
                    && (kind == InstructionKind.ASYNC_STORE
                            || kind == InstructionKind.ASYNC_REDUCE);
        }

        @Override
        public void before(Frame frame, Exit exit, int lanes) {
            Site site = exit.site();
            if (exit instanceof Exit.Synchronize && site != null) {
                run(site, frame, frame.where(exit.guard(), lanes));
            }
        }

        /// Among those of the grid.
        private static int warp(Frame frame) {
            Cta cta = frame.warp.cta();
            return (int) cta.index() * cta.warps().length + frame.warp.index();
        }

        @Override
        public StepListener steps() {
            return this;
        }
    }

    /// What programs share, and how.
    enum Kind {
        CTA("threads of one CTA", RandomPrograms::random, 0.8),
        GRID("CTAs and clusters that share global memory", RandomPrograms::randomGrid, 0.9),
        HANDED(
                "copies of threads that are handed to mbarriers",
                RandomPrograms::randomHandedCopies,
                0.95),
        COPIES("bulk copies into shared memory and out of it", RandomPrograms::randomCopies, 0.9),
        GLOBAL(
                "bulk copies between CTAs that share global memory",
                RandomPrograms::randomGlobalCopies,
                0.95),
        CLUSTER(
                "CTAs of a cluster that share their shared memory",
                RandomPrograms::randomClusters,
                0.9),
        REMOTE(
                "asynchronous stores, reductions and multicast copies into other CTAs of a cluster",
                RandomPrograms::randomRemoteCopies,
                0.95),
        SENDS(
                "bulk copies and bulk reductions from CTA to CTA of a cluster",
                RandomPrograms::randomSends,
                0.95),
        SPLIT(
                "CTAs of a cluster that arrive at its barrier and wait later",
                SplitBarriers::random,
                0.95),
        RESTRICTED("fences that order only some accesses", RestrictedPrograms::random, 0.95);

        private final String words;
        private final Function<Random, SharingProgram> drawn;
        private final double mostThatRace;

        /// @param mostThatRace of all programs: were all of one verdict, little would be shown
        Kind(String words, Function<Random, SharingProgram> drawn, double mostThatRace) {
            this.words = words;
            this.drawn = drawn;
            this.mostThatRace = mostThatRace;
        }

        /// A program's verdict by the oracle, after the detector was held to it.
        CausalityRaces.@Nullable Race check(long seed, List<Machine> machines) {
            return RaceOracleTest.check(
                    drawn.apply(new Random(seed)), this + ", seed " + seed, machines);
        }

        @Override
        public String toString() {
            return words;
        }
    }

    @ParameterizedTest
    @EnumSource
    void asTheManualSays(Kind kind) {
        int races = 0;
        for (int i = 0; i < PROGRAMS; i++) {
            races += kind.check(SEED + i, machines(i)) == null ? 0 : 1;
        }
        assertThat(races).isBetween(PROGRAMS / 5, (int) (PROGRAMS * kind.mostThatRace));
    }

    /// Runs the programs of some seeds, and tells which of them disagree:
    /// `FIRST COUNT cta|grid|handed|copies|global|cluster|remote|sends|split|restricted`.
    public static void main(String[] arguments) {
        long first = Long.parseLong(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        Kind kind = Kind.valueOf(arguments[2].toUpperCase(Locale.ROOT));
        LongAdder races = new LongAdder();
        IntStream.range(0, count)
                .parallel()
                .forEach(
                        i -> {
                            try {
                                if (kind.check(first + i, machines(i)) != null) {
                                    races.increment();
                                }
                            } catch (AssertionError e) {
                                System.out.println(shrunk(kind, first + i));
                            } catch (IllegalStateException e) {
                                System.out.println("seed " + (first + i) + ": " + e.getMessage());
                            }
                        });
        System.out.println(
                count + " programs from seed " + first + ", " + races + " agree to race");
    }

    /// What is said of the smallest part of a program that still disagrees.
    private static String shrunk(Kind kind, long seed) {
        SharingProgram program = kind.drawn.apply(new Random(seed));
        String name = kind + ", seed " + seed;
        SharingProgram smallest =
                Shrinking.of(program, each -> !disagreement(each, name).isEmpty());
        return smallest.slots() + "\n" + disagreement(smallest, name);
    }

    /// What the machine and the oracle disagree about; empty where they agree, or the program fails
    /// without checks.
    private static String disagreement(SharingProgram program, String name) {
        try {
            check(program, name, machines(0));
            return "";
        } catch (AssertionError e) {
            String said = String.valueOf(e.getMessage());
            return said.contains(".version") ? said : "";
        }
    }

    static List<Machine> machines(int program) {
        return program % COMPILED == 0
                ? List.of(Machine.interpreter(), Machine.compiler())
                : List.of(Machine.interpreter());
    }

    private static CausalityRaces.@Nullable Race check(
            SharingProgram program, String name, List<Machine> machines) {
        SharingText.Text text = SharingText.of(program);
        Kernel kernel = Kernel.of(text.text(), "k.ptx", "k");
        Launch launch =
                Launch.of(
                                new Extent(program.shape().ctas(), 1, 1),
                                new Extent(32 * program.shape().warps(), 1, 1),
                                Argument.zeros("out", 256))
                        .withThreads(1)
                        .withChecks(CHECKS)
                        .reporting(Reporting.FIRST.passing(ENDS));
        List<CausalityOracle> oracles =
                memories(program)
                        .mapToObj(memory -> new CausalityOracle(program, text.slots(), memory))
                        .toList();
        assertThat(
                        Machine.interpreter()
                                .run(kernel, launch.withChecks(Set.of()), new Recorder(oracles))
                                .findings())
                .as(name)
                .isEmpty();
        List<CausalityRaces.Race> races = races(oracles);
        for (Machine machine : machines) {
            List<Finding> findings = machine.run(kernel, launch).findings();
            String about = "%s, %s%n%s%n%s".formatted(name, machine.name(), text.text(), races);
            if (races.isEmpty()) {
                assertThat(findings.stream().map(f -> f.text(kernel.source()::line)))
                        .as(about)
                        .isEmpty();
            } else {
                assertThat(findings).as(about).hasSize(1);
                assertTold(
                        findings.getFirst(),
                        program.shape(),
                        races,
                        about + findings.getFirst().message());
            }
        }
        if (machines.size() > 1 && program.shape().isGrid()) {
            List<Finding> findings =
                    Machine.compiler().run(kernel, launch.withThreads(4)).findings();
            assertThat(findings.stream().anyMatch(f -> RULES.contains(f.rule())))
                    .as("%s, 4 workers", name)
                    .isEqualTo(!races.isEmpty());
        }
        return races.isEmpty() ? null : races.getFirst();
    }

    /// What oracles are asked about: first all, where fences count as if they had no restrictions;
    /// then each memory, with the fences that apply to operations there.
    private static IntStream memories(SharingProgram program) {
        boolean isRestricted =
                program.slots().stream()
                        .anyMatch(
                                slot ->
                                        slot.operation() instanceof Operation.Fencing fence
                                                && fence.effect() != FenceEffect.ANY);
        IntStream each =
                IntStream.range(SharingProgram.GLOBAL, isRestricted ? program.shape().ctas() : -1);
        return IntStream.concat(IntStream.of(FenceEffect.ANYWHERE), each);
    }

    /// What may be told: the first instruction that races whatever fences are restricted to, or all
    /// that race because of that.
    private static List<CausalityRaces.Race> races(List<CausalityOracle> oracles) {
        List<CausalityRaces.Race> first = oracles.getFirst().races().limit(1).toList();
        return first.isEmpty()
                ? oracles.stream().skip(1).flatMap(CausalityOracle::races).toList()
                : first;
    }

    /// The finding is of an instruction that races, by a lane that does, and names a thread that it
    /// races with.
    private static void assertTold(
            Finding finding,
            SharingProgram.Shape shape,
            List<CausalityRaces.Race> races,
            String about) {
        int threads = 32 * shape.warps();
        assertThat(finding.rule()).as(about).isIn(RULES);
        assertThat(finding.site()).as(about).isNotNull();
        int line = finding.site().position().line();
        int thread =
                threads * finding.where().x()
                        + 32 * finding.where().warp()
                        + Integer.numberOfTrailingZeros(finding.where().lanes());
        Set<Integer> others =
                races.stream()
                        .filter(race -> race.line() == line)
                        .flatMap(race -> race.others().getOrDefault(thread, Set.of()).stream())
                        .collect(Collectors.toSet());
        assertThat(others).as(about).isNotEmpty();
        boolean isCopy =
                finding.message().contains("asynchronous operation")
                        || finding.message().contains("with a bulk operation");
        if (finding.rule().equals(Rule.DATA_RACE) && !isCopy) {
            assertThat(others.stream().map(other -> name(other, thread, threads)))
                    .as(about)
                    .anyMatch(
                            name ->
                                    finding.message().contains("with" + name + ":")
                                            || finding.message().contains("which" + name + " ("));
        }
    }

    /// The other as messages call it.

    private static String name(int other, int thread, int threads) {
        String elsewhere =
                other / threads == thread / threads
                        ? ""
                        : " of CTA (%d,0,0)".formatted(other / threads);
        return " thread (%d,0,0)%s".formatted(other % threads, elsewhere);
    }
}
