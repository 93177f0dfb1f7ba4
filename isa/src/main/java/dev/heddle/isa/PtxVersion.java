package dev.heddle.isa;

import dev.heddle.formats.InputException;

/// A version of the PTX ISA, as the `.version` directive names it.
public record PtxVersion(int major, int minor) implements Comparable<PtxVersion> {
    /// The newest version whose manual this model follows.
    public static final PtxVersion NEWEST = new PtxVersion(9, 1);

    /// Reads `8.7`.
    ///
    /// @throws InputException if the text is not two numbers with a point between
    public static PtxVersion parse(String text) {
        int point = text.indexOf('.');
        try {
            return new PtxVersion(
                    Integer.parseInt(text.substring(0, Math.max(point, 0))),
                    Integer.parseInt(text.substring(point + 1)));
        } catch (NumberFormatException e) {
            throw new InputException(
                    "PTX version \"" + text + "\": expected two numbers such as 8.7", e);
        }
    }

    /// Whether this version is `other` or newer.
    public boolean atLeast(PtxVersion other) {
        return compareTo(other) >= 0;
    }

    @Override
    public int compareTo(PtxVersion other) {
        return major != other.major
                ? Integer.compare(major, other.major)
                : Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
