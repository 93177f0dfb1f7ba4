package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.Finding;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Thread 32 stores, both warps meet, and thread 0 reads: a message says which side of the barrier
/// is `.relaxed`.
@DisplayName("PTX ISA 9.7.13.3, 9.7.13.15.13, 9.7.13.15.16: barriers that are .relaxed")
final class RelaxedSidesTest {
    private static final String ARRIVED = "thread (32,0,0) arrived here behind its access";
    private static final String WAITED = "thread (0,0,0) waited here for that access";
    private static final String NONE = "no barrier stands between them";
    private static final String NO_ORDER = "no barrier that orders them stands between";

    private static final String RELEASE = "mbarrier.arrive.shared.b64 _, [tile];";
    private static final String RELAXED = "mbarrier.arrive.relaxed.cta.shared.b64 _, [tile];";
    private static final String ACQUIRE = wait("");
    private static final String BLIND = wait(".relaxed.cta");
    private static final String FENCE = "fence.acq_rel.cta;";
    private static final String CLUSTER = "barrier.cluster.arrive.relaxed; barrier.cluster.wait;";

    private static String wait(String order) {
        return "W: mbarrier.test_wait.parity%s.shared.b64 %%p2, [tile], 0; @!%%p2 bra W;"
                .formatted(order);
    }

    private static String kernel(String before, String after, String then) {
        return """
        setp.eq.u32 %%p1, %%r1, 0;
        @%%p1 mbarrier.init.shared.b64 [tile], 64;
        @%%p1 st.shared.u32 [tile+16], 0;
        bar.sync 0;
        setp.eq.u32 %%p3, %%r1, 32;
        %s
        @%%p3 st.shared.u32 [tile+16], 5;
        %s
        @!%%p1 bra DONE;
        %s
        ld.shared.u32 %%r3, [tile+16];
        st.global.u32 [%%rd1], %%r3;
        DONE:
        """
                .formatted(before, after, then);
    }

    /// Kernels that race, and what is said of the barrier.
    enum Race {
        RELAXED_ARRIVAL("", RELAXED + ACQUIRE, "", NO_ORDER, ARRIVED),
        RELAXED_WAIT("", RELEASE + BLIND, "", NO_ORDER, WAITED),
        FENCE_AND_RELAXED_WAIT("", FENCE + RELAXED + BLIND, "", NO_ORDER, WAITED),
        CLUSTER_BARRIER("", CLUSTER, "", NO_ORDER, ARRIVED),
        BEFORE_THE_ACCESS(RELAXED + ACQUIRE, "", "", NONE, ""),
        CLUSTER_BARRIER_BEFORE(CLUSTER, "", "", NONE, ""),
        FENCED_BUT_NOT_WAITED_FOR("", FENCE + RELAXED, "", NONE, "");

        private final String text;
        private final String missing;
        private final String side;

        Race(String before, String after, String then, String missing, String side) {
            text = kernel(before, after, then);
            this.missing = missing;
            this.side = side;
        }
    }

    @ParameterizedTest
    @EnumSource
    void areNamed(Race race) {
        Finding finding = kernel(race.text).finding(64, 4);
        assertThat(finding.rule()).isEqualTo(Rule.DATA_RACE);
        assertThat(finding.message()).endsWith(race.missing);
        assertThat(finding.notes().stream().map(Finding.Note::message).toList().toString())
                .contains(race.side);
        if (race.side.isEmpty()) {
            assertThat(finding.notes()).noneMatch(note -> note.message().contains("relaxed"));
        } else {
            assertThat(finding.otherSite())
                    .extracting(Site::mnemonic, InstanceOfAssertFactories.STRING)
                    .isEqualTo("st.shared.u32");
        }
    }

    /// The same, in order.
    enum Sound {
        RELEASE_AND_ACQUIRE(RELEASE + ACQUIRE, ""),
        FENCE_BEFORE(FENCE + RELAXED + ACQUIRE, ""),
        FENCE_BEHIND(RELEASE + BLIND, FENCE),
        FENCES(FENCE + RELAXED + BLIND, FENCE),
        FENCE_BEFORE_CLUSTER_BARRIER(FENCE + CLUSTER, "");

        private final String text;

        Sound(String after, String then) {
            text = kernel("", after, then);
        }
    }

    @ParameterizedTest
    @EnumSource
    void areFineBesideFences(Sound sound) {
        assertThat(kernel(sound.text).run(64, 0)).containsExactly(5);
    }

    private static TinyKernel kernel(String text) {
        return TinyKernel.of(text).on("sm_90", "8.6");
    }
}
