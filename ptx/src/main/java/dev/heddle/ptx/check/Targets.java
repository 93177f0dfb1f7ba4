package dev.heddle.ptx.check;

import dev.heddle.ptx.Version;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/// The target architectures and the PTX version that introduced each (PTX ISA 11.1.2).
final class Targets {

    private static final String TABLE =
            """
            1.0 10 11
            1.2 12 13
            2.0 20
            3.0 30
            3.1 35
            4.0 32 50
            4.1 37 52
            4.2 53
            5.0 60 61 62
            6.0 70
            6.1 72
            6.3 75
            7.0 80
            7.1 86
            7.4 87
            7.8 89 90
            8.0 90a
            8.6 100 100a 101 101a
            8.7 120 120a
            8.8 100f 101f 103 103a 103f 120f 121 121a 121f
            9.0 88 110 110a 110f
            """;

    private static final Map<String, Version> INTRODUCED = new HashMap<>();

    static {
        for (String line : TABLE.lines().toList()) {
            String[] words = line.split(" ", -1);
            for (int i = 1; i < words.length; i++) {
                INTRODUCED.put(words[i], Version.parse(words[0]));
            }
        }
    }

    private Targets() {}

    /// The version that introduced `sm_N`, or null where there is no such target.
    static @Nullable Version introduced(String architecture) {
        int underscore = architecture.indexOf('_');
        return INTRODUCED.get(architecture.substring(underscore + 1));
    }
}
