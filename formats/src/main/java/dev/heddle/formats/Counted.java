package dev.heddle.formats;

/// Things and how many they are, in words.
public final class Counted {
    private Counted() {}

    /// `1 byte`, `4 bytes`.
    ///
    /// @param thing whose plural is regular
    public static String of(long count, String thing) {
        return count == 1 ? "1 " + thing : count + " " + thing + "s";
    }

    /// The same of bytes.
    public static String bytes(long count) {
        return of(count, "byte");
    }
}
