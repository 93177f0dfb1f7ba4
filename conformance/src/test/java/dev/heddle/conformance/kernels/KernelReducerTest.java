package dev.heddle.conformance.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

@DisplayName("kernels on which machines differ are made small")
final class KernelReducerTest {
    @Test
    void onlyWhatTheDifferenceNeedsIsLeft() {
        RandomKernel whole = RandomKernel.of(1);
        List<String> free =
                whole.body().stream().filter(line -> !KernelReducer.isKept(line)).toList();
        List<String> needed = List.of(free.get(3), free.get(free.size() - 5));

        RandomKernel small = new KernelReducer(k -> k.body().containsAll(needed)).reduce(whole);

        assertThat(small.body().stream().filter(line -> !KernelReducer.isKept(line)))
                .containsExactlyElementsOf(needed);
        // Loops still end, addresses are still made, and threads still meet.
        assertThat(whole.body()).anyMatch(line -> line.contains("bra LOOP"));
        for (String needful : List.of("%n0", "LOOP", "%t,", "%u,", "bar.")) {
            assertThat(small.body().stream().filter(line -> line.contains(needful)))
                    .containsExactlyElementsOf(
                            whole.body().stream().filter(line -> line.contains(needful)).toList());
        }
        assertThat(small.ptx()).startsWith(whole.ptx().substring(0, 100)).endsWith("ret;\n}\n");
        assertThat(small.outputBytes()).isEqualTo(whole.outputBytes());
    }
}
