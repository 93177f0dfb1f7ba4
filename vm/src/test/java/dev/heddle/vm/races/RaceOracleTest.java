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
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.StepListener;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.IntStream;

/// The search for races against an oracle that knows nothing of it, over random programs.
///
/// `-Dheddle.races=100000` asks for more of them, `-Dheddle.races.compiled=1` for all of them to be
/// compiled as well, `-Dheddle.seed=…` for others; a failure names its own.
@DisplayName("races in shared memory, against all relations of chapter 8")
final class RaceOracleTest {
    private static final int PROGRAMS = Integer.getInteger("heddle.races", 500);
    /// Of so many programs one is run by the compiler too.
    private static final int COMPILED = Integer.getInteger("heddle.races.compiled", 10);

    private static final long SEED = Long.getLong("heddle.seed", 1);

    /// Values are not followed: the oracle has no eye for what becomes of what a load reads.
    private static final Set<RuleGroup> CHECKS =
            EnumSet.complementOf(EnumSet.of(RuleGroup.DEFINEDNESS));

    private static final Set<Rule> RULES =
            Set.of(
                    Rule.DATA_RACE,
                    Rule.CP_ASYNC_READ_BEFORE_WAIT,
                    Rule.CP_ASYNC_WRITE_BEFORE_WAIT,
                    Rule.ASYNC_READ_BEFORE_COMPLETION,
                    Rule.ASYNC_WRITE_BEFORE_COMPLETION,
                    Rule.MISSING_PROXY_FENCE);

    /// Tells the oracle what runs.
    private record Recorder(CausalityOracle oracle) implements StepListener, Observer {
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
                oracle.run(step.site().position().line(), warp(frame), lanes);
            }
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
                oracle.run(site.position().line(), warp(frame), frame.where(exit.guard(), lanes));
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
        CTA("threads of one CTA", SharingProgram::random, 0.8),
        GRID("CTAs and clusters that share global memory", SharingProgram::randomGrid, 0.9),
        COPIES("bulk copies into shared memory and out of it", SharingProgram::randomCopies, 0.9),
        CLUSTER(
                "CTAs of a cluster that share their shared memory",
                SharingProgram::randomClusters,
                0.9),
        REMOTE(
                "asynchronous stores, reductions and multicast copies into other CTAs of a cluster",
                SharingProgram::randomRemoteCopies,
                0.95);

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

    /// Found among a hundred thousand: a weak store stands between a release and who reads the
    /// place.
    @ParameterizedTest
    @ValueSource(longs = {1035784, 1077950})
    void aWeakStoreHandsNothingOn(long seed) {
        SharingProgram program = SharingProgram.random(new Random(seed));
        assertThat(check(program, "seed " + seed, machines(0))).isNotNull();
    }

    /// Found among another hundred thousand: a strong store of a byte stands between a release and
    /// an atomic operation on the word, which then passes nothing on.
    @Test
    void aStoreOfAnotherSizeHandsNothingOn() {
        SharingProgram program = SharingProgram.random(new Random(3073658));
        assertThat(check(program, "seed 3073658", machines(0))).isNotNull();
    }

    /// Found among yet another: two lanes of one instruction release to one word, and what observes
    /// the second is over for who stores there weakly.
    @Test
    void eachLaneThatReleasesIsObserved() {
        SharingProgram program = SharingProgram.randomGrid(new Random(3150230));
        CausalityRaces.Race race = check(program, "grid, seed 3150230", machines(0));
        assertThat(race).isNotNull();
        assertThat(race.line()).isEqualTo(61);
    }

    /// Found among 100,000: of several strong stores, the last is to be fenced, by lane 1 of its
    /// warp.
    @ParameterizedTest
    @ValueSource(longs = {4048874, 4073369, 4065682})
    void theLastStoreIsToBeFenced(long seed) {
        check(SharingProgram.randomCopies(new Random(seed)), "copies, seed " + seed, machines(0));
    }

    /// Found among 60,000: two `fence.sc` order CTAs that observe nothing of each other.
    @Test
    void sequentialFencesOrderCtas() {
        SharingProgram program = SharingProgram.randomGrid(new Random(5000532));
        assertThat(check(program, "grid, seed 5000532", machines(0))).isNull();
    }

    /// Found among another 60,000: a read of narrow scope is over where a later store of its thread
    /// is observed, though the thread has read once more by then.
    @Test
    void eachScopeIsObservedForItself() {
        SharingProgram program = SharingProgram.randomGrid(new Random(10039017));
        CausalityRaces.Race race = check(program, "grid, seed 10039017", machines(0));
        assertThat(race).isNotNull();
        assertThat(race.line()).isEqualTo(20);
    }

    /// Found among 60,000: two lanes of a warp store by two instructions of one clock, one for its
    /// CTA only.
    @ParameterizedTest
    @ValueSource(longs = {30024680, 30002627})
    void eachScopeCountsBetweenCtas(long seed) {
        SharingProgram program = SharingProgram.randomClusters(new Random(seed));
        assertThat(check(program, "cluster, seed " + seed, machines(0))).isNotNull();
    }

    /// Found among the same: a store from another CTA of the value that is there races with a read.
    @Test
    void storingWhatIsThereRacesWithARead() {
        SharingProgram program = SharingProgram.randomClusters(new Random(30011734));
        CausalityRaces.Race race = check(program, "cluster, seed 30011734", machines(0));
        assertThat(race).isNotNull();
        assertThat(race.line()).isEqualTo(61);
    }

    /// Two threads store one value, which is no race.
    @Test
    void equalStoresAreANote() {
        SharingProgram program = SharingProgram.randomGrid(new Random(5052925));
        assertThat(check(program, "grid, seed 5052925", machines(0))).isNull();
    }

    /// Both lanes of a load race, each with the other's stores.
    @Test
    void anyLaneThatRacesMayBeNamed() {
        SharingProgram program = SharingProgram.randomGrid(new Random(3080056));
        CausalityRaces.Race race = check(program, "grid, seed 3080056", machines(0));
        assertThat(race).isNotNull();
        assertThat(race.others().keySet()).containsExactlyInAnyOrder(0, 1);
    }

    /// Runs the programs of some seeds, and tells which of them disagree:
    /// `FIRST COUNT cta|grid|copies|cluster|remote`.
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
                                System.out.println(e.getMessage());
                            }
                        });
        System.out.println(
                count + " programs from seed " + first + ", " + races + " agree to race");
    }

    private static List<Machine> machines(int program) {
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
                        .withChecks(CHECKS);
        CausalityOracle oracle = new CausalityOracle(program, text.slots());
        assertThat(
                        Machine.interpreter()
                                .run(kernel, launch.withChecks(Set.of()), new Recorder(oracle))
                                .findings())
                .as(name)
                .isEmpty();
        CausalityRaces.Race race = oracle.race();
        for (Machine machine : machines) {
            List<Finding> findings = machine.run(kernel, launch).findings();
            String about = "%s, %s%n%s%n%s".formatted(name, machine.name(), text.text(), race);
            if (race == null) {
                assertThat(findings.stream().map(f -> f.text(kernel.source()::line)))
                        .as(about)
                        .isEmpty();
            } else {
                assertThat(findings).as(about).hasSize(1);
                assertTold(
                        findings.getFirst(),
                        program.shape(),
                        race,
                        about + findings.getFirst().message());
            }
        }
        if (machines.size() > 1 && program.shape().isGrid()) {
            List<Finding> findings =
                    Machine.compiler().run(kernel, launch.withThreads(4)).findings();
            assertThat(findings.isEmpty()).as("%s, 4 workers", name).isEqualTo(race == null);
        }
        return race;
    }

    /// The finding is of the first instruction that races, by a lane that does, and names a thread
    /// that it races with.
    private static void assertTold(
            Finding finding, SharingProgram.Shape shape, CausalityRaces.Race race, String about) {
        int threads = 32 * shape.warps();
        assertThat(finding.rule()).as(about).isIn(RULES);
        assertThat(finding.site()).as(about).isNotNull();
        assertThat(finding.site().position().line()).as(about).isEqualTo(race.line());
        int thread =
                threads * finding.where().x()
                        + 32 * finding.where().warp()
                        + Integer.numberOfTrailingZeros(finding.where().lanes());
        Set<Integer> others = race.others().get(thread);
        assertThat(others).as(about).isNotNull();
        boolean isCopy = finding.message().contains("asynchronous operation");
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
