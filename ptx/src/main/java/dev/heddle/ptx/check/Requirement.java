package dev.heddle.ptx.check;

import dev.heddle.ptx.Target;
import dev.heddle.ptx.Version;

import java.util.ArrayList;
import java.util.List;

/// What a part of an instruction asks of the module: a version of PTX, and one of some targets.
///
/// @param version the least version
/// @param targets any one suffices; none asks for nothing
record Requirement(Version version, List<Minimum> targets) {

    Requirement {
        targets = List.copyOf(targets);
    }

    /// A target by its number: that one or higher (`0`), that one alone (`a`), or its family from
    /// it on (`f`).
    record Minimum(int number, char suffix) {

        boolean isMet(Target target) {
            return switch (suffix) {
                case 'a' -> target.suffix() == 'a' && renamed(target.number()) == number;
                case 'f' ->
                        target.suffix() != '0'
                                && renamed(target.number()) / 10 == number / 10
                                && renamed(target.number()) >= number;
                default -> target.number() >= number;
            };
        }

        /// sm_101 became sm_110 in PTX 9.0.
        private static int renamed(int number) {
            return number == 101 ? 110 : number;
        }

        @Override
        public String toString() {
            return "sm_"
                    + number
                    + switch (suffix) {
                        case 'a' -> "a";
                        case 'f' -> "f";
                        default -> " or higher";
                    };
        }
    }

    /// Reads `8.0/90` or `8.6/90a+100f`; a target of 0 asks for none.
    static Requirement parse(String text) {
        int slash = text.indexOf('/');
        List<Minimum> targets = new ArrayList<>();
        for (String target : List.of(text.substring(slash + 1).split("\\+", -1))) {
            char last = target.charAt(target.length() - 1);
            boolean suffixed = last == 'a' || last == 'f';
            int number =
                    Integer.parseInt(suffixed ? target.substring(0, target.length() - 1) : target);
            if (number > 0) {
                targets.add(new Minimum(number, suffixed ? last : '0'));
            }
        }
        return new Requirement(Version.parse(text.substring(0, slash)), targets);
    }

    boolean versionMet(Version actual) {
        return actual.isAtLeast(version);
    }

    boolean targetMet(Target actual) {
        return targets.isEmpty() || targets.stream().anyMatch(minimum -> minimum.isMet(actual));
    }

    /// The targets in words.
    String targetWords() {
        StringBuilder words = new StringBuilder();
        for (Minimum minimum : targets) {
            words.append(words.isEmpty() ? "" : ", ").append(minimum);
        }
        return words.toString();
    }
}
