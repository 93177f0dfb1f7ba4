package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;

@DisplayName("PTX ISA 9.7.13.13: launches that begin early wait for the one in front of them")
final class EarlyLaunchesTest {
    private static final String RULE = "rule: prerequisite-not-awaited, PTX ISA 9.7.13.13";

    /// What is on standard error, by the case of `early-launches.cu`.
    private static Map<String, String> cases(Path folder, String which)
            throws IOException, InterruptedException, URISyntaxException {
        Programs.Ended ended = Programs.cases(folder, "early-launches.cu", "compute_90", which);
        Map<String, String> cases = ended.cases();
        assertThat(cases).hasSize(11);
        assertThat(ended.code()).isEqualTo(which.equals("right") ? 0 : 1);
        return cases;
    }

    @Test
    void anAccessBeforeTheWaitIsTold(@TempDir Path folder) throws Exception {
        Map<String, String> cases = cases(folder, "wrong");
        assertThat(cases).allSatisfy((_, told) -> assertThat(told).contains(RULE));
        assertThat(cases.get("waits"))
                .contains("kernel neverWait, reads 1024 bytes at global address")
                .contains("kernel produce, writes: that one lets it begin early")
                .contains("this is a bug in the program: a GPU may do either first");
        assertThat(cases.get("writes-what-it-reads")).contains("kernel neverWait, writes");
    }

    @Test
    void nobodyIsAccusedWhoWaitsOrDoesNotBeginEarly(@TempDir Path folder) throws Exception {
        assertThat(cases(folder, "right"))
                .allSatisfy((name, told) -> assertThat(told).as(name).isEmpty());
    }
}
