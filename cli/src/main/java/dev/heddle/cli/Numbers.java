package dev.heddle.cli;

import java.util.Arrays;

/// Lists of numbers in options: `9,10`.
final class Numbers {
    private Numbers() {}

    /// Reads between `fewest` and `most` whole numbers with commas between.
    static int[] parse(String option, String text, int fewest, int most) {
        try {
            int[] numbers =
                    Arrays.stream(text.split(",", -1))
                            .mapToInt(part -> Integer.parseInt(part.strip()))
                            .toArray();
            if (numbers.length >= fewest && numbers.length <= most) {
                return numbers;
            }
        } catch (NumberFormatException e) {
            // said below, with what is expected
        }
        String expected =
                fewest == most
                        ? (most == 1
                                ? "a whole number"
                                : most + " whole numbers with commas between")
                        : fewest + " to " + most + " whole numbers with commas between";
        throw new UsageError(option + " " + text + ": expected " + expected);
    }
}
