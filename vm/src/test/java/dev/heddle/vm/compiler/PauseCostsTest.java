package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("When warps run by themselves instead of as parts of whole CTAs")
final class PauseCostsTest {
    private final PauseCosts costs = new PauseCosts();

    private void judge(int times, long pauses, long legs) {
        for (int i = 0; i < times; i++) {
            costs.judge(pauses, legs);
        }
    }

    @Test
    @DisplayName("after four calls with more than one pause in eight legs")
    void slowCalls() {
        judge(3, 9, 71);
        assertThat(costs.areWorth()).isTrue();
        judge(1, 9, 71);
        assertThat(costs.areWorth()).isFalse();
        judge(1, 0, 1000);
        assertThat(costs.areWorth()).as("for good").isFalse();
    }

    @Test
    @DisplayName("not if a call with few is among them")
    void firstCtas() {
        judge(3, 9, 71);
        judge(1, 9, 72);
        judge(3, 9, 71);
        judge(1, 4, 1);
        judge(3, 9, 71);
        assertThat(costs.areWorth()).isTrue();
    }

    @Test
    @DisplayName("at once if one call has very many")
    void farTooMany() {
        assertThat(PauseCosts.areFarTooMany(132, 4)).isFalse();
        assertThat(PauseCosts.areFarTooMany(133, 4)).isTrue();
        costs.judge(133, 4);
        assertThat(costs.areWorth()).isFalse();
    }
}
