package dev.heddle.isa;

import java.util.Collection;
import java.util.Optional;

/// The word that was probably meant.
public final class Suggestion {
    private static final int LONGEST = 64;

    private Suggestion() {}

    /// The nearest of `candidates` to `word`, if one is near: at most a third of its letters
    /// differ.
    public static Optional<String> nearest(String word, Collection<String> candidates) {
        int best = Math.max(1, word.length() / 3) + 1;
        String nearest = null;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < best) {
                best = distance;
                nearest = candidate;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /// Letters to insert, delete, change, or swap with their neighbour, to get from one word to the
    /// other.
    public static int distance(String one, String other) {
        int longer = Math.abs(one.length() - other.length());
        if (longer > LONGEST) {
            return longer; // at least so many, and no table for a text without end
        }
        int[][] rows = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    rows[i][j] = i + j;
                    continue;
                }
                int changed = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                int least = Math.min(rows[i - 1][j], rows[i][j - 1]) + 1;
                least = Math.min(least, rows[i - 1][j - 1] + changed);
                boolean swapped =
                        i > 1
                                && j > 1
                                && one.charAt(i - 1) == other.charAt(j - 2)
                                && one.charAt(i - 2) == other.charAt(j - 1);
                rows[i][j] = swapped ? Math.min(least, rows[i - 2][j - 2] + 1) : least;
            }
        }
        return rows[one.length()][other.length()];
    }
}
