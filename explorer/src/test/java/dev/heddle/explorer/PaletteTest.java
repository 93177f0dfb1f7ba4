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
                            .isGreaterThan(1.09);
                }
            }
        }
    }

    /// Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color
    /// Vision Deficiency (2009), severity 1.0, on linear RGB.
    private enum Vision {
        USUAL(1, 0, 0, 0, 1, 0, 0, 0, 1),
        PROTANOPIA(
                0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116,
                1.051998),
        DEUTERANOPIA(
                0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940,
                0.968881),
        TRITANOPIA(
                1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
                0.303900);

        private final double[] matrix;

        Vision(double... matrix) {
            this.matrix = matrix;
        }

        /// A colour as it is seen, in OKLab.
        double[] seen(String color) {
            double[] linear = new double[3];
            for (int i = 0; i < 3; i++) {
                double c = Integer.parseInt(color.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
                linear[i] = c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
            }
            double[] rgb = new double[3];
            for (int i = 0; i < 9; i++) {
                rgb[i / 3] += matrix[i] * linear[i % 3];
            }
            double l = root(0.4122214708, 0.5363325363, 0.0514459929, rgb);
            double m = root(0.2119034982, 0.6806995451, 0.1073969566, rgb);
            double s = root(0.0883024619, 0.2817188376, 0.6299787005, rgb);
            return new double[] {
                0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
            };
        }

        private static double root(double r, double g, double b, double[] rgb) {
            return Math.cbrt(
                    r * Math.clamp(rgb[0], 0, 1)
                            + g * Math.clamp(rgb[1], 0, 1)
                            + b * Math.clamp(rgb[2], 0, 1));
        }

        double distance(String one, String other) {
            double[] a = seen(one);
            double[] b = seen(other);
            return Math.sqrt(
                    Math.pow(a[0] - b[0], 2) + Math.pow(a[1] - b[1], 2) + Math.pow(a[2] - b[2], 2));
        }
    }

    @Test
    void tellNeighboursApartUnderEveryColourVision() {
        for (Palette palette : Palette.values()) {
            for (Vision vision : Vision.values()) {
                for (int lane = 0; lane < 32; lane++) {
                    String color = palette.color(lane);
                    if (lane % 4 != 3) {
                        assertThat(vision.distance(color, palette.color(lane + 1)))
                                .as("%s %s lane %d and the next", palette, vision, lane)
                                .isGreaterThan(0.039);
                    }
                    assertThat(vision.distance(color, palette.color((lane + 4) % 32)))
                            .as("%s %s lane %d and the next row's", palette, vision, lane)
                            .isGreaterThan(0.039);
                }
            }
        }
    }
}
