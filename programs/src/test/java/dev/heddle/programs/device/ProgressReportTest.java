package dev.heddle.programs.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

@DisplayName("A long launch says how far it is")
final class ProgressReportTest {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    @Test
    void againAndAgainUntilItEnds() throws InterruptedException {
        try (ProgressReport progress =
                new ProgressReport("launch 3, kernel k", Duration.ZERO, lines::add)) {
            progress.ended(5, 12);
            String line = "";
            while (!line.contains("5 of 12")) {
                line = lines.poll(10, TimeUnit.SECONDS);
                assertThat(line).matches("heddle: launch 3, kernel k: \\d+ of \\d+ CTAs, \\d+ s");
            }
        }
        lines.clear();
        assertThat(lines.poll(50, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void aShortOneSaysNothing() throws InterruptedException {
        new ProgressReport("launch 1, kernel k", Duration.ofMillis(30), lines::add).close();
        assertThat(lines.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }
}
