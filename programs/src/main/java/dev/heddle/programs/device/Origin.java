package dev.heddle.programs.device;

import dev.heddle.programs.host.HostCall;
import dev.heddle.vm.Kernel;

/// Work of the device that something was found in.
sealed interface Origin {
    /// The host's call that asked for it.
    HostCall from();

    /// What it is, in words.
    String words();

    /// What the host's call did: `launched`.
    String verb();

    /// The number of its launch; 0 where it is none.
    default long launch() {
        return 0;
    }

    /// The name of its kernel as PTX has it; empty where it has none.
    default String kernel() {
        return "";
    }

    /// A line of its PTX, from 1; empty where it has none.
    default String line(int number) {
        return "";
    }

    /// What it is and who asked for it, in words.
    default String whole() {
        return from().equals(HostCall.UNKNOWN)
                ? words()
                : "%s, %s by %s".formatted(words(), verb(), from());
    }

    /// A launch.
    ///
    /// @param launch counts launches from 1
    record Launched(Kernel of, long launch, HostCall from) implements Origin {
        @Override
        public String words() {
            return words(of, launch);
        }

        /// What a launch is, in words.
        static String words(Kernel of, long launch) {
            return "launch %d, kernel %s".formatted(launch, of.code().sourceName());
        }

        @Override
        public String verb() {
            return "launched";
        }

        @Override
        public String kernel() {
            return of.code().name();
        }

        @Override
        public String line(int number) {
            return of.source().text().lines().skip(number - 1L).findFirst().orElse("");
        }
    }

    /// A copy or fill.
    ///
    /// @param words `a copy of 4096 bytes`
    record Moved(String words, HostCall from) implements Origin {
        @Override
        public String verb() {
            return "called";
        }
    }
}
