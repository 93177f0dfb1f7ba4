package dev.heddle.isa;

import java.util.List;

/// A target architecture as the `.target` directive names it: `sm_80`, `sm_90a`, `sm_120f`.
///
/// @param number  80, 90, 120
/// @param variant which features beyond the baseline code for it may use
/// @see "PTX ISA 11.1.2"
public record Target(int number, Variant variant) {
    /// What the letter behind the number adds.
    public enum Variant {
        /// No letter: runs on this and every later architecture.
        BASELINE(""),
        /// `f`: features that later members of the same family keep.
        FAMILY("f"),
        /// `a`: features of exactly this architecture.
        ARCHITECTURE("a");

        private final String letter;

        Variant(String letter) {
            this.letter = letter;
        }
    }

    /// A target and the PTX ISA version that introduced it.
    private record Known(String name, String since) {}

    // sm_88 stands in the manual with 9.0; ptxas 13.0 takes it from 7.3 on.
    private static final List<Known> KNOWN =
            List.of(
                    new Known("sm_70", "6.0"),
                    new Known("sm_72", "6.1"),
                    new Known("sm_75", "6.3"),
                    new Known("sm_80", "7.0"),
                    new Known("sm_86", "7.1"),
                    new Known("sm_87", "7.4"),
                    new Known("sm_88", "9.0"),
                    new Known("sm_89", "7.8"),
                    new Known("sm_90", "7.8"),
                    new Known("sm_90a", "8.0"),
                    new Known("sm_100", "8.6"),
                    new Known("sm_100f", "8.8"),
                    new Known("sm_100a", "8.6"),
                    new Known("sm_103", "8.8"),
                    new Known("sm_103f", "8.8"),
                    new Known("sm_103a", "8.8"),
                    new Known("sm_110", "9.0"),
                    new Known("sm_110f", "9.0"),
                    new Known("sm_110a", "9.0"),
                    new Known("sm_120", "8.7"),
                    new Known("sm_120f", "8.8"),
                    new Known("sm_120a", "8.7"),
                    new Known("sm_121", "8.8"),
                    new Known("sm_121f", "8.8"),
                    new Known("sm_121a", "8.8"));

    // Written out, as in [Shape]: linking the generated methods takes longer than using them.
    @Override
    public boolean equals(Object other) {
        return other instanceof Target target
                && number == target.number
                && variant == target.variant;
    }

    @Override
    public int hashCode() {
        return number * 3 + variant.ordinal();
    }

    /// Every target from sm_70 on, by number.
    public static List<Target> all() {
        return KNOWN.stream().map(known -> read(known.name)).toList();
    }

    /// Reads `sm_90a`.
    ///
    /// @throws IllegalArgumentException if there is no such target; the message lists them
    public static Target parse(String name) {
        for (Known known : KNOWN) {
            if (known.name.equals(name)) {
                return read(name);
            }
        }
        throw new IllegalArgumentException(
                "unknown target \""
                        + name
                        + "\": expected one of "
                        + String.join(" ", KNOWN.stream().map(Known::name).toList()));
    }

    /// The PTX ISA version that introduced this target.
    public PtxVersion since() {
        for (Known known : KNOWN) {
            if (known.name.equals(toString())) {
                return PtxVersion.parse(known.since);
            }
        }
        throw new IllegalStateException("target " + this + " is not in the table");
    }

    /// The targets of one family share this: 12 for sm_120 and sm_121.
    public int family() {
        return number / 10;
    }

    private static Target read(String name) {
        char last = name.charAt(name.length() - 1);
        for (Variant variant : Variant.values()) {
            if (!variant.letter.isEmpty() && variant.letter.charAt(0) == last) {
                return new Target(Integer.parseInt(name.substring(3, name.length() - 1)), variant);
            }
        }
        return new Target(Integer.parseInt(name.substring(3)), Variant.BASELINE);
    }

    @Override
    public String toString() {
        return "sm_" + number + variant.letter;
    }
}
