package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The launcher script on a checkout of a few files, with a JDK and a Maven that only say how they
/// were called.
@DisplayName("The launcher")
final class LauncherTest {
    private static final Path LAUNCHER = Path.of("..", "heddle");

    @TempDir private Path folder;
    private Path checkout;
    private Path jdk;

    @BeforeEach
    void aSmallCheckout() throws IOException {
        assumeThat(Path.of("/bin/bash")).exists();
        checkout = Files.createDirectories(folder.resolve("checkout"));
        jdk = jdk("jdk", "25.0.1");
        Files.copy(LAUNCHER, checkout.resolve("heddle"), StandardCopyOption.COPY_ATTRIBUTES);
        Path launcher = checkout.resolve("cli/src/main/launcher");
        Files.createDirectories(launcher);
        for (String part : List.of("jvm.sh", "jdk.sh")) {
            Files.copy(Path.of("src/main/launcher", part), launcher.resolve(part));
        }
        Files.writeString(checkout.resolve("pom.xml"), "");
        source("One.java");
        source("Two.java");
        script(
                checkout.resolve("mvnw"),
                """
                echo mvnw >>"$HEDDLE_TEST_LOG"
                mkdir -p cli/target/lib && : >cli/target/heddle-cli-1.jar && : >cli/target/lib/a.jar
                """);
    }

    @Test
    void buildsOnceAndThenStartsAtOnce() throws Exception {
        assertThat(heddle(checkout, "where")).contains("dev.heddle.cli.Main where");
        assertThat(heddle(checkout, "where")).contains("dev.heddle.cli.Main where");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void aMovedCheckoutRunsItsOwnFiles() throws Exception {
        heddle(checkout, "where");
        Path moved = folder.resolve("moved");
        Files.move(checkout, moved);

        String call = heddle(moved, "exec");

        assertThat(call).contains(moved.resolve(".heddle").toString());
        assertThat(call).doesNotContain(checkout.toString());
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void aRemovedSourceIsNoticed() throws Exception {
        heddle(checkout, "where");
        age(checkout);
        heddle(checkout, "where");
        assertThat(builds()).isEqualTo(1);

        Files.delete(checkout.resolve("cli/src/main/Two.java"));
        heddle(checkout, "where");

        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void aNewBuildLeavesTheFilesOfRunningCallsAlone() throws Exception {
        heddle(checkout, "where");
        Path before = onlyBuild();
        age(checkout);
        source("Three.java");
        heddle(checkout, "where");

        assertThat(onlyBuild()).isNotEqualTo(before);
    }

    @Test
    void aNewerJdkServes() throws Exception {
        jdk = jdk("newer", "27");
        assertThat(heddle(checkout, "where")).contains("dev.heddle.cli.Main where");
    }

    @Test
    void commandsOfOneCacheAskForTheSameModules() throws Exception {
        assertThat(modules("cuda")).isEqualTo(modules("where"));
    }

    /// What a JVM must have been told when the cache was recorded, or takes nothing from it.
    private List<String> modules(String command) throws Exception {
        String words = heddle(checkout, command);
        return Stream.of(words.substring(0, words.indexOf(" -cp ")).split(" "))
                .filter(word -> word.startsWith("--enable") || word.startsWith("--add"))
                .toList();
    }

    @Test
    void aSmallLaunchIsKnownByItsThreads() throws Exception {
        assertThat(isSmall("{\"grid\":[2,2,1],\"block\":[128,1,1]}")).isTrue();
        assertThat(isSmall("{\"grid\": [256],\n \"block\": [\n 16,\n 8\n]}")).isTrue();
        assertThat(isSmall("{\"grid\":[257,1,1],\"block\":[128,1,1]}")).isFalse();
        assertThat(isSmall("{\"block\":[1024],\"grid\":[2147483647,65535,65535]}")).isFalse();
        assertThat(isSmall("{\"launches\":[{\"grid\":[1]},{\"grid\":[99999]}]}")).isFalse();
        assertThat(isSmall("{\"grid\":[08],\"block\":[18446744073709551617]}")).isFalse();
        assertThat(isSmall("{" + " ".repeat(70_000) + "\"grid\":[1]}")).isFalse();
        assertThat(isSmall("{}", "--block=64", "--grid", "4,2")).isTrue();
        assertThat(isSmall("{}", "--block=64", "--grid", "400,2")).isFalse();
        assertThat(isSmall("{\"grid\":[1],\"block\":[32]}", "--advise")).isFalse();
    }

    @Test
    void launchesOfSeveralFilesAreSmallWhereEachIs() throws Exception {
        Path wide = folder.resolve("wide.json");
        Files.writeString(wide, "{\"grid\":[4096],\"block\":[8]}");

        assertThat(isSmall("{\"grid\":[8],\"block\":[1024]}", wide.toString())).isTrue();
        assertThat(isSmall("{\"grid\":[8]}", wide.toString(), "--block=16")).isFalse();
        Files.writeString(wide, "{\"grid\":[4096],\"block\":[16]}");
        assertThat(isSmall("{\"grid\":[8],\"block\":[1024]}", wide.toString())).isFalse();
        assertThat(isSmall("{\"grid\":[8],\"block\":[1024]}", "--launch=" + wide)).isFalse();
    }

    private boolean isSmall(String launch, String... options) throws Exception {
        Path file = folder.resolve("launch.json");
        Files.writeString(file, launch);
        List<String> words = new ArrayList<>(List.of("bash", "-euc"));
        words.add("hot= dir= state=; . src/main/launcher/jvm.sh; is_small \"$@\"");
        words.addAll(List.of("bash", "run", file.toString()));
        words.addAll(List.of(options));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        assertThat(process.getInputStream().readAllBytes()).isEmpty();
        return process.waitFor() == 0;
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = folder.resolve(name);
        Path bin = Files.createDirectories(home.resolve("bin"));
        script(
                bin.resolve("java"),
                """
                for word; do
                  case $last in dev.heddle.cli.JarUpgrade) : >"$word"; exit ;; esac
                  case $word in *.aot) ;; -XX:AOTCacheOutput=*) : >"${word#*=}" ;; esac
                  last=$word
                done
                case $* in *VectorLibrary*) : >"${!#}"; echo -XX:+VectorsOn ;; *) echo "$*" ;; esac
                """);
        script(bin.resolve("javac"), "");
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
        return home;
    }

    private void source(String name) throws IOException {
        Path file = checkout.resolve("cli/src/main").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
    }

    /// Makes all files look older than any build to come, and the build newer than they.
    private static void age(Path checkout) throws IOException {
        FileTime past = FileTime.from(Instant.now().minusSeconds(60));
        try (Stream<Path> tree = Files.walk(checkout)) {
            for (Path file : tree.sorted(Comparator.reverseOrder()).toList()) {
                boolean isBuilt = file.getFileName().toString().equals("built");
                Files.setLastModifiedTime(
                        file, isBuilt ? FileTime.from(past.toInstant().plusSeconds(1)) : past);
            }
        }
    }

    private Path onlyBuild() throws IOException {
        try (Stream<Path> state = Files.list(checkout.resolve(".heddle"))) {
            List<Path> builds = state.filter(Files::isDirectory).toList();
            assertThat(builds).hasSize(1);
            return builds.getFirst();
        }
    }

    private long builds() throws IOException {
        return Files.readAllLines(folder.resolve("log")).size();
    }

    private String heddle(Path in, String command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(in.resolve("heddle").toString(), command)
                        .redirectErrorStream(true);
        builder.environment().put("HEDDLE_JAVA_HOME", jdk.toString());
        builder.environment().put("HEDDLE_TEST_LOG", folder.resolve("log").toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    private static void script(Path file, String body) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
