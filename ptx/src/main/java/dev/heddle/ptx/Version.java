package dev.heddle.ptx;

/// A version of the PTX language (PTX ISA 11.1.1).
///
/// @param major changes when old text may no longer be read
/// @param minor changes when something is added
public record Version(int major, int minor) implements Comparable<Version> {

    /// The version `major.minor` in this text.
    ///
    /// @throws IllegalArgumentException where the text is no version
    public static Version parse(String text) {
        int dot = text.indexOf('.');
        try {
            return new Version(
                    Integer.parseInt(text.substring(0, Math.max(dot, 0))),
                    Integer.parseInt(text.substring(dot + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "version " + text + ": expected major.minor, such as 9.1", e);
        }
    }

    /// Whether it has what the other introduced.
    public boolean isAtLeast(Version other) {
        return compareTo(other) >= 0;
    }

    @Override
    public int compareTo(Version other) {
        return major != other.major
                ? Integer.compare(major, other.major)
                : Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
