package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// The scripts as the shells run them; the command is a function that answers from a file.
@DisplayName("Tab completion in zsh and fish")
final class CompletionTest {
    /// Presses Tab behind a line in a zsh of its own, and prints what is offered.
    private static final String CAPTURE =
            """
            zmodload zsh/zpty
            zpty z zsh -f -i
            zpty -w z "PS1=; cd $1; autoload -Uz compinit; compinit -u -d ./dump
            heddle() { [[ \\$1 == find ]] && cat answer }; source ./script
            bindkey '^I' offer; zle -C offer complete-word offer
            compadd() { local -a hits; builtin compadd -A hits \\"\\$@\\"
            (( \\$#hits )) && print -rl -- \\"HIT \\"\\$^hits; builtin compadd \\"\\$@\\" }
            offer() { _main_complete; print END; compstate[list]=; compstate[insert]= }
            print READY"
            zpty -r z out '*READY'
            zpty -w -n z "$2"$'\\t'
            zpty -r z out '*END'
            print -r -- "$out"
            zpty -d z
            """;

    @TempDir Path folder;

    private List<String> run(String... words) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(words)
                        .directory(folder.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return out.lines().map(String::strip).toList();
    }

    private void prepare(String shell) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/" + shell)), "no " + shell + " here");
        Files.writeString(
                folder.resolve("script"), Ran.heddle("completion", "--shell", shell).out());
        Files.writeString(
                folder.resolve("answer"), Ran.heddle("find", "--complete", "mma.s").out());
        Files.writeString(folder.resolve("capture"), CAPTURE);
    }

    private String zsh(String line) throws IOException, InterruptedException {
        return run("/usr/bin/zsh", "-f", "capture", folder.toString(), line).stream()
                .filter(said -> said.contains("HIT "))
                .map(said -> said.substring(said.lastIndexOf("HIT ") + 4))
                .distinct()
                .collect(Collectors.joining(" "));
    }

    private String fish(String line) throws IOException, InterruptedException {
        String script =
                "source script; function heddle; cat answer; end; complete -C '" + line + "'";
        return run("/usr/bin/fish", "--no-config", "-c", script).stream()
                .map(said -> said.replaceFirst("\t.*", ""))
                .collect(Collectors.joining(" "));
    }

    @Test
    void zsh() throws Exception {
        prepare("zsh");
        assertThat(zsh("heddle ex")).isEqualTo("explain exec expand explore");
        assertThat(zsh("heddle where mma.s"))
                .isEqualTo("mma.sp. mma.sp::ordered_metadata. mma.sync.");
        assertThat(zsh("heddle explain data-r")).contains("data-race");
        assertThat(zsh("heddle where mma.sync.x ")).isEqualTo("A B C D E SFA SFB");
        assertThat(zsh("heddle forms --tar")).isEqualTo("--target");
        assertThat(zsh("heddle forms --target sm_9")).isEqualTo("sm_90 sm_90a");
    }

    @Test
    void fish() throws Exception {
        prepare("fish");
        assertThat(fish("heddle ex")).isEqualTo("exec expand explain explore");
        assertThat(fish("heddle where mma.s"))
                .isEqualTo("mma.sp. mma.sp::ordered_metadata. mma.sync.");
        assertThat(fish("heddle forms --tar")).isEqualTo("--target");
        assertThat(fish("heddle forms --target sm_9")).isEqualTo("sm_90 sm_90a");
    }
}
