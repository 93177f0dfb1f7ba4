package dev.heddle.isa;

import java.util.Collection;
import java.util.Optional;

/// The word that was probably meant.
public final class Suggestion {
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

    /// Letters to insert, delete or change to get from one word to the other.
    static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
