package dev.heddle.isa;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a form, or one word of it, needs: a PTX ISA version and a target that has it.
///
/// @param version the version that introduced it
/// @param targets the targets that have it
public record Requirement(PtxVersion version, Targets targets) {
    /// Which targets have a form.
    public sealed interface Targets {
        /// Whether code for `target` may use the form.
        boolean include(Target target);

        /// One name a part, as a message has room for: `sm_90 or higher`, `sm_90a`, `sm_100f`.
        String names();
    }

    /// This architecture and every later one; 0 for all there are.
    public record AtLeast(int number) implements Targets {
        @Override
        public boolean include(Target target) {
            return target.current().number() >= number;
        }

        @Override
        public String names() {
            return toString();
        }

        @Override
        public String toString() {
            return number == 0 ? "every target" : "sm_" + number + " or higher";
        }
    }

    /// These targets alone.
    public record Only(List<Target> targets) implements Targets {
        public Only {
            targets = List.copyOf(targets);
        }

        @Override
        public boolean include(Target target) {
            return targets.contains(target.current());
        }

        @Override
        public String names() {
            return String.join(", ", targets.stream().map(Target::toString).toList());
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
                    && target.current().number() >= number
                    && target.variant() != Target.Variant.BASELINE;
        }

        @Override
        public String names() {
            return "sm_" + number + "f";
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

    /// What any of these include.
    public record AnyOf(List<Targets> parts) implements Targets {
        public AnyOf {
            parts = List.copyOf(parts);
        }

        @Override
        public boolean include(Target target) {
            for (Targets part : parts) {
                if (part.include(target)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String names() {
            return String.join(", ", parts.stream().map(Targets::names).toList());
        }

        @Override
        public String toString() {
            return String.join(" or ", parts.stream().map(Targets::toString).toList());
        }
    }

    /// Reads `7.0 sm_80`, `8.7 =sm_120a,sm_121a` (these targets alone), `8.7 sm_120+` (the family),
    /// `8.0 =sm_90a or sm_100+` (any of these), `8.3` (every target).
    public static Requirement parse(String text) {
        String[] words = text.strip().split(" ", 2);
        PtxVersion version = PtxVersion.parse(words[0]);
        if (words.length == 1) {
            return new Requirement(version, new AtLeast(0));
        }
        List<Targets> parts = new ArrayList<>();
        for (String part : words[1].split(" or ", -1)) {
            parts.add(targets(part));
        }
        return new Requirement(version, parts.size() == 1 ? parts.getFirst() : new AnyOf(parts));
    }

    private static Targets targets(String where) {
        if (where.startsWith("=")) {
            return new Only(
                    Arrays.stream(where.substring(1).split(",", -1)).map(Target::parse).toList());
        }
        if (where.endsWith("+")) {
            return new Family(Target.parse(where.substring(0, where.length() - 1)).number());
        }
        return new AtLeast(Target.parse(where).number());
    }

    /// Whether a module of this version for this target has what asks for it.
    public boolean isMet(Target target, PtxVersion actual) {
        return actual.atLeast(version) && targets.include(target);
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
