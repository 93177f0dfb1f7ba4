package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Locale;
import java.util.Random;

@DisplayName("Numbers of a closing report are written as format strings write them")
final class ClosingReportTest {
    @Test
    void fixedPlaces() {
        Random random = new Random(19);
        for (double number : new double[] {0, 0.0004, 0.0625, 0.9996, 9.999, 100, 99.96, 1e9}) {
            assertFixed(number);
        }
        for (int i = 0; i < 1000; i++) {
            assertFixed(random.nextDouble() * Math.pow(10, random.nextInt(7) - 3));
        }
    }

    private static void assertFixed(double number) {
        for (int places : new int[] {1, 3, 6}) {
            assertThat(ClosingReport.fixed(number, places))
                    .isEqualTo(String.format(Locale.ROOT, "%." + places + "f", number));
        }
    }

    @Test
    void groupsOfThree() {
        for (long number = 1; number < Long.MAX_VALUE / 7; number *= 7) {
            for (long one : new long[] {number - 1, number, -number}) {
                assertThat(ClosingReport.grouped(one))
                        .isEqualTo(String.format(Locale.ROOT, "%,d", one));
            }
        }
    }
}
