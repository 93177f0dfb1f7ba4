package dev.heddle.cli;

import dev.heddle.isa.PtxVersion;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/// Which Heddle this is. The build writes version and commit into a file beside this class.
final class Version {
    private Version() {}

    /// `heddle 0.1.0 (commit 0fa9260c1d2e)`, and what it is on.
    static String[] lines() {
        Properties built = new Properties();
        try (InputStream file = Version.class.getResourceAsStream("version.properties")) {
            if (file != null) {
                built.load(file);
            }
        } catch (IOException e) {
            // then it is a development version
        }
        String version = built.getProperty("version", "$");
        String commit = built.getProperty("commit", "");
        String name = version.startsWith("$") ? "(development)" : version;
        return new String[] {
            "heddle "
                    + name
                    + (commit.isEmpty() || commit.startsWith("$")
                            ? ""
                            : " (commit " + commit + ")"),
            "PTX ISA " + PtxVersion.NEWEST + ", Java " + Runtime.version()
        };
    }
}
