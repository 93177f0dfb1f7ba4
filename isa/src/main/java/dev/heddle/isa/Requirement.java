package dev.heddle.isa;

import java.util.List;

/// What a form needs: a PTX ISA version and a target that has it.
///
/// @param version the version that introduced the form
/// @param targets the targets that have it
public record Requirement(PtxVersion version, Targets targets) {
    /// Which targets have a form.
    public sealed interface Targets {
        /// Whether code for `target` may use the form.
        boolean include(Target target);
    }

    /// This architecture and every later one.
    public record AtLeast(int number) implements Targets {
        @Override
        public boolean include(Target target) {
            return target.number() >= number;
        }

        @Override
        public String toString() {
            return "sm_" + number + " or higher";
        }
    }

    /// These targets alone.
    public record Only(List<Target> targets) implements Targets {
        public Only {
            targets = List.copyOf(targets);
        }

        @Override
        public boolean include(Target target) {
            return targets.contains(target);
        }

        @Override
        public String toString() {
            return String.join(" or ", targets.stream().map(Target::toString).toList());
        }
    }

    /// The architecture- and family-specific targets of one family, from this architecture on.
    public record Family(int number) implements Targets {
        @Override
        public boolean include(Target target) {
            return target.family() == number / 10
                    && target.number() >= number
                    && target.variant() != Target.Variant.BASELINE;
        }

        @Override
        public String toString() {
            return "sm_"
                    + number
                    + "a, sm_"
                    + number
                    + "f, or an \"a\" or \"f\" target of a later member of the family";
        }
    }

    /// Reads `7.0 sm_80`, `8.7 =sm_120a,sm_121a` (these targets alone), `8.7 sm_120+` (the family).
    static Requirement parse(String text) {
        String[] words = text.strip().split(" ", 2);
        String where = words[1];
        Targets targets;
        if (where.startsWith("=")) {
            targets =
                    new Only(
                            List.of(where.substring(1).split(",", -1)).stream()
                                    .map(Target::parse)
                                    .toList());
        } else if (where.endsWith("+")) {
            targets = new Family(Target.parse(where.substring(0, where.length() - 1)).number());
        } else {
            targets = new AtLeast(Target.parse(where).number());
        }
        return new Requirement(PtxVersion.parse(words[0]), targets);
    }

    /// The same targets, from that version on at the earliest.
    Requirement notBefore(PtxVersion earliest) {
        return version.atLeast(earliest) ? this : new Requirement(earliest, targets);
    }

    /// The known targets that have the form.
    public List<Target> supported() {
        return Target.all().stream().filter(targets::include).toList();
    }

    @Override
    public String toString() {
        return "PTX ISA " + version + ", " + targets;
    }
}
