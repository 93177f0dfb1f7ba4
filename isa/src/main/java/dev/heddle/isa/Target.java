package dev.heddle.isa;

import dev.heddle.formats.InputException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A target architecture as the `.target` directive names it: `sm_80`, `sm_90a`, `sm_120f`.
///
/// @param number  80, 90, 120
/// @param variant which features beyond the baseline code for it may use @see "PTX ISA 11.1.2"
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
    private record Known(Target target, PtxVersion since) {}

    /// The first architecture with a matrix instruction.
    private static final int FIRST_WITH_MATRICES = 70;

    /// Each target by number, and the version that introduced it (PTX ISA 11.1.2 and the release
    /// notes of 13; what has left the manual by ptxas 13.0). sm_88 is in the manual with 9.0;
    /// ptxas 13.0 takes it from 7.3 on.
    private static final String TABLE =
            """
            10:1.0 11:1.0 12:1.2 13:1.2 20:2.0 21:2.0 30:3.0 32:4.0 35:3.1 37:4.1
            50:4.0 52:4.1 53:4.2 60:5.0 61:5.0 62:5.0 70:6.0 72:6.1 75:6.3
            80:7.0 86:7.1 87:7.4 88:9.0 89:7.8 90:7.8 90a:8.0
            100:8.6 100f:8.8 100a:8.6 101:8.6 101f:8.8 101a:8.6 103:8.8 103f:8.8 103a:8.8
            110:9.0 110f:9.0 110a:9.0 120:8.7 120f:8.8 120a:8.7 121:8.8 121f:8.8 121a:8.8
            """;

    /// By name, in order.
    private static final Map<String, Known> KNOWN = known();

    private static Map<String, Known> known() {
        Map<String, Known> known = new LinkedHashMap<>();
        for (String entry : TABLE.strip().replace('\n', ' ').split(" ", -1)) {
            int colon = entry.indexOf(':');
            String name = "sm_" + entry.substring(0, colon);
            known.put(name, new Known(read(name), PtxVersion.parse(entry.substring(colon + 1))));
        }
        return known;
    }

    /// Every target with matrix instructions (from sm_70 on) by number, each under its present
    /// name.
    public static List<Target> all() {
        List<Target> all = new ArrayList<>();
        for (Known known : KNOWN.values()) {
            if (known.target.number >= FIRST_WITH_MATRICES
                    && known.target.equals(known.target.current())) {
                all.add(known.target);
            }
        }
        return List.copyOf(all);
    }

    /// Reads `sm_90a`.
    ///
    /// @throws InputException if there is no such target; the message lists those with
    /// matrix instructions
    public static Target parse(String name) {
        Known known = KNOWN.get(name);
        if (known == null) {
            throw new InputException(
                    "unknown target \""
                            + name
                            + "\": expected one of "
                            + String.join(" ", all().stream().map(Target::toString).toList()));
        }
        return known.target;
    }

    /// Whether there is a target of this name.
    public static boolean exists(String name) {
        return KNOWN.containsKey(name);
    }

    /// The PTX ISA version that introduced this target.
    public PtxVersion since() {
        Known known = KNOWN.get(toString());
        if (known == null) {
            throw new IllegalStateException("target " + this + " is not in the table");
        }
        return known.since;
    }

    /// This target under its present name: sm_101 became sm_110 in PTX 9.0.
    public Target current() {
        return number == 101 ? new Target(110, variant) : this;
    }

    /// The targets of one family share this: 12 for sm_120 and sm_121.
    public int family() {
        return current().number / 10;
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
