package dev.heddle.explorer;

import java.util.Locale;

/// The colours of the lanes: a hue for each group of four lanes, a lightness for each lane of it.
///
/// The lightness alone tells the lanes of a group apart. The order of the hues is, of all orders of
/// eight, the one whose neighbouring groups stay farthest apart (by more than 0.04 in OKLab) for
/// people who lack red, green or blue cones; every second group is a little darker. Labels say the
/// lane, too. All light colours carry dark text and all dark colours light text at a contrast of at
/// least 7:1.
enum Palette {
    /// For a light ground.
    LIGHT(new double[] {0.935, 0.885, 0.835, 0.785}, new double[] {0.05, 0.07, 0.085, 0.1}),
    /// For a dark ground.
    DARK(new double[] {0.275, 0.325, 0.375, 0.42}, new double[] {0.05, 0.06, 0.07, 0.08});

    /// Degrees on the OKLCH circle, by group.
    private static final int[] HUES = {20, 245, 65, 200, 110, 335, 155, 290};

    /// How much lighter the even groups are, and how much darker the odd ones.
    private static final double SHIFT = 0.0125;

    private final double[] lightness;
    private final double[] chroma;

    Palette(double[] lightness, double[] chroma) {
        this.lightness = lightness;
        this.chroma = chroma;
    }

    /// The colour of a lane as `#rrggbb`. Lanes of different warps share colours.
    String color(int lane) {
        int group = lane >> 2 & 7;
        double hue = Math.toRadians(HUES[group]);
        int thread = lane & 3;
        return hex(
                lightness[thread] + (group % 2 == 0 ? SHIFT : -SHIFT),
                chroma[thread] * StrictMath.cos(hue),
                chroma[thread] * StrictMath.sin(hue));
    }

    /// The colours of the lanes as variables of a style sheet, `--l0` and on, in both themes.
    static String variables() {
        return ":root{"
                + LIGHT.declarations()
                + "}\n@media (prefers-color-scheme:dark){:root:not([data-theme=light]){"
                + DARK.declarations()
                + "}}\n:root[data-theme=dark]{"
                + DARK.declarations()
                + "}\n";
    }

    private String declarations() {
        StringBuilder text = new StringBuilder();
        for (int lane = 0; lane < 32; lane++) {
            text.append("--l").append(lane).append(':').append(color(lane)).append(';');
        }
        return text.toString();
    }

    /// OKLab to sRGB.
    private static String hex(double lightness, double a, double b) {
        double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
        double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
        double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
        return String.format(
                Locale.ROOT,
                "#%02x%02x%02x",
                gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                gamma(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
    }

    private static double cube(double x) {
        return x * x * x;
    }

    private static int gamma(double linear) {
        double bounded = Math.clamp(linear, 0.0, 1.0);
        double encoded =
                bounded <= 0.0031308
                        ? 12.92 * bounded
                        : 1.055 * StrictMath.pow(bounded, 1 / 2.4) - 0.055;
        return (int) Math.round(255 * encoded);
    }
}
