package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.races.RaceOracleTest.Kind;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Random programs, by their seeds, about which the search for races and the oracle disagreed once.
@DisplayName("races in random programs that were missed, or told wrongly")
final class FoundProgramsTest {
    /// The oracle's verdict on a program, after the detector was held to it.
    private static CausalityRaces.@Nullable Race check(Kind kind, long seed) {
        return kind.check(seed, RaceOracleTest.machines(0));
    }

    /// Found among a hundred thousand: a weak store stands between a release and who reads the
    /// place.
    @ParameterizedTest
    @ValueSource(longs = {1035784, 1077950})
    void aWeakStoreHandsNothingOn(long seed) {
        assertThat(check(Kind.CTA, seed)).isNotNull();
    }

    /// Found among another hundred thousand: a strong store of a byte stands between a release and
    /// an atomic operation on the word, which then passes nothing on.
    @Test
    void aStoreOfAnotherSizeHandsNothingOn() {
        assertThat(check(Kind.CTA, 3073658)).isNotNull();
    }

    /// Found among yet another: two lanes of one instruction release to one word, and what observes
    /// the second is over for who stores there weakly.
    @Test
    void eachLaneThatReleasesIsObserved() {
        CausalityRaces.Race race = check(Kind.GRID, 3150230);
        assertThat(race).isNotNull();
        assertThat(race.line()).isEqualTo(61);
    }

    /// Found among 100,000: of several strong stores, the last is to be fenced, by lane 1 of its
    /// warp.
    @ParameterizedTest
    @ValueSource(longs = {4048874, 4073369, 4065682})
    void theLastStoreIsToBeFenced(long seed) {
        check(Kind.COPIES, seed);
    }

    /// Found among 60,000: two `fence.sc` order CTAs that observe nothing of each other.
    @Test
    void sequentialFencesOrderCtas() {
        assertThat(check(Kind.GRID, 5000532)).isNull();
    }

    /// Found among another 60,000: a read of narrow scope is over where a later store of its thread
    /// is observed, though the thread has read once more by then.
    @Test
    void eachScopeIsObservedForItself() {
        CausalityRaces.Race race = check(Kind.GRID, 10039017);
        assertThat(race).isNotNull();
        assertThat(race.line()).isEqualTo(20);
    }

    /// Found among 60,000: two lanes of a warp store by two instructions of one clock, one for its
    /// CTA only.
    @ParameterizedTest
    @ValueSource(longs = {30024680, 30002627})
    void eachScopeCountsBetweenCtas(long seed) {
        assertThat(check(Kind.CLUSTER, seed)).isNotNull();
    }

    /// Found among the same: a store from another CTA of the value that is there races with a read.
    @Test
    void storingWhatIsThereRacesWithARead() {
        CausalityRaces.Race race = check(Kind.CLUSTER, 30011734);
        assertThat(race).isNotNull();
        assertThat(race.line()).isEqualTo(61);
    }

    /// Found among 50,000: a thread accesses a place of its CTA for its CTA only and then for all,
    /// and another CTA comes, with which the first races.
    @ParameterizedTest
    @CsvSource({"63000227, 23", "63032175, 55", "63044018, 46"})
    void theLaterAccessDoesNotStandForANarrowerOne(long seed, int line) {
        assertFoundAt(Kind.CLUSTER, seed, line);
    }

    /// Found among the same: of a load and an atomic operation at one clock, of two scopes, only
    /// what the atomic operation read is observed.
    @Test
    void aLoadIsNoAtomicOperation() {
        assertFoundAt(Kind.CLUSTER, 63038099, 54);
    }

    /// Found among 25,000: a reduction is its thread's, whosever memory it writes.
    @ParameterizedTest
    @CsvSource({"64001036, 78", "64011284, 50", "64020130, 30"})
    void anAsynchronousReductionHasTheScopesOfWhoBeganIt(long seed, int line) {
        assertFoundAt(Kind.REMOTE, seed, line);
    }

    /// Found among the same: a reduction observes what was written before, and who reads it
    /// observes the reduction.
    @ParameterizedTest
    @CsvSource({"64022880, 89", "65002253, 30"})
    void anAsynchronousReductionIsObserved(long seed, int line) {
        assertFoundAt(Kind.REMOTE, seed, line);
    }

    @ParameterizedTest
    @ValueSource(longs = {64013316, 64021366})
    void whatIsObservedByAReductionDoesNotRace(long seed) {
        assertThat(check(Kind.REMOTE, seed)).isNull();
    }

    /// Found among 4,000: two strong stores in no order, of which the one that came last in the run
    /// is fenced. The other may be last as well.
    @Test
    void eachStoreIsToBeFenced() {
        assertThat(check(Kind.REMOTE, 161003819)).isNotNull();
    }

    /// Found among 12,000: a thread reduces without a fence behind its own atomic operation, which
    /// another thread's came behind, in no order with the reduction.
    @Test
    void anEarlierAtomicIsToBeFenced() {
        assertThat(check(Kind.GLOBAL, 200008441)).isNotNull();
    }

    /// Found among 1,500: a bulk reduction reads its source beside a strong store there.
    @ParameterizedTest
    @CsvSource({"182000445, 58", "182001287, 34"})
    void aReductionReadsItsSourceWeakly(long seed, int line) {
        assertFoundAt(Kind.COPIES, seed, line);
    }

    /// Found among 1,200: of words that a multicast writes, one has places for its bytes, and was
    /// read.
    @Test
    void aWordWithPlacesIsNotAsTheOneBefore() {
        assertFoundAt(Kind.REMOTE, 792000610, 38);
    }

    private static void assertFoundAt(Kind kind, long seed, int line) {
        CausalityRaces.Race race = check(kind, seed);
        assertThat(race).isNotNull();
        assertThat(race.line()).isEqualTo(line);
    }

    /// Found among 600: a lane reads a word by Java, and again, behind a barrier, by machine code.
    /// The first read was put into the history late, in place of the second.
    @Test
    void aReadThatIsNotedLateReplacesNoLaterOne() {
        assertThat(check(Kind.CTA, 641000490)).isNotNull();
    }

    /// Two threads store one value, which is no race.
    @Test
    void equalStoresAreANote() {
        assertThat(check(Kind.GRID, 5052925)).isNull();
    }

    /// Both lanes of a load race, each with the other's stores.
    @Test
    void anyLaneThatRacesMayBeNamed() {
        CausalityRaces.Race race = check(Kind.GRID, 3080056);
        assertThat(race).isNotNull();
        assertThat(race.others().keySet()).containsExactlyInAnyOrder(0, 1);
    }
}
