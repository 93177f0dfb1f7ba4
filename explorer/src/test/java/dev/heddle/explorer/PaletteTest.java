package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The colours of the lanes")
final class PaletteTest {
    /// WCAG 2.2, relative luminance.
    private static double luminance(String color) {
        double sum = 0;
        double[] weights = {0.2126, 0.7152, 0.0722};
        for (int i = 0; i < 3; i++) {
            double c = Integer.parseInt(color.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            sum += weights[i] * (c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
        }
        return sum;
    }

    private static double contrast(String one, String other) {
        double a = luminance(one);
        double b = luminance(other);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    @Test
    void carryTextAtAContrastOfSevenToOne() {
        for (int lane = 0; lane < 32; lane++) {
            assertThat(contrast(Palette.LIGHT.color(lane), "#16181d")).isGreaterThan(7);
            assertThat(contrast(Palette.DARK.color(lane), "#f2f4f8")).isGreaterThan(7);
        }
    }

    @Test
    void tellLanesOfAGroupApartByLightnessAlone() {
        for (Palette palette : Palette.values()) {
            for (int lane = 0; lane < 32; lane++) {
                if (lane % 4 != 0) {
                    assertThat(contrast(palette.color(lane), palette.color(lane - 1)))
                            .as("%s lanes %d and %d", palette, lane - 1, lane)
                            .isGreaterThan(1.1);
                }
            }
        }
    }
}
