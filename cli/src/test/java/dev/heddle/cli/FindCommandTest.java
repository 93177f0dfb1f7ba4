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

@DisplayName("heddle find, the filters of forms, and Tab")
final class FindCommandTest {
    private static final String HALF = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

    @Test
    void theBestFormComesFirst() {
        Ran ran = Ran.heddle("find", "f16", "16x8x16");
        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines()).first().isEqualTo(HALF);
        assertThat(ran.err()).isEmpty();
        assertThat(Ran.heddle("find", "f16", "--limit", "2").out().lines()).hasSize(2);
        assertThat(Ran.heddle("find", "f16", "--limit", "2").err())
                .matches("heddle: \\d+ more: --limit \\d+\\n");
    }

    @Test
    void theNearestAreNoAnswer() {
        Ran ran = Ran.heddle("find", "m16n8k17", "f16");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out().lines()).first().isEqualTo(HALF);
        assertThat(ran.err()).contains("no form has all of that").contains("without k17");
    }

    @Test
    void whatIsNotUnderstoodIsWrongUsage() {
        assertThat(Ran.heddle("find", "hello").code()).isEqualTo(2);
        assertThat(Ran.heddle("find", "hello").err()).contains("\"hello\" was not understood");
        assertThat(Ran.heddle("find").code()).isEqualTo(2);
        assertThat(Ran.heddle("find", "f16", "--limit", "0").code()).isEqualTo(2);
    }

    @Test
    void programsGetOneObject() {
        assertThat(Ran.heddle("find", "HMMA.16816.F32", "--json").out())
                .startsWith("{\"text\":\"HMMA.16816.F32\",\"complete\":true")
                .contains("\"matching\":1", "\"opcode\":\"" + HALF + "\"");
    }

    @Test
    void formsAreFilteredByTheSameWords() {
        assertThat(Ran.heddle("forms", "--shape", "16x8x16", "--type", "bf16").out().lines())
                .contains("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
                .allMatch(line -> line.contains(".m16n8k16.") && line.contains(".bf16."));
        assertThat(Ran.heddle("forms", "--kind", "nvfp4").out().lines())
                .isNotEmpty()
                .allMatch(line -> line.contains("kind::mxf4nvf4") && line.endsWith("ue4m3"));
        assertThat(Ran.heddle("forms", "--type", "sparse").code()).isEqualTo(2);
    }

    /// The script as bash runs it; the command is a function that answers from a file.
    @Test
    void tabCompletesOpcodesInBash(@TempDir Path folder) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash here");
        assertThat(completed(folder, "heddle where f16.16x8x16", "f16.16x8x16"))
                .containsExactly(HALF);
        assertThat(completed(folder, "heddle explain mma.s", "mma.s"))
                .containsExactly("mma.sp.", "mma.sp::ordered_metadata.", "mma.sync.");
        assertThat(completed(folder, "heddle layout mma.sp::ord", "mma.sp::ord"))
                .isNotEmpty()
                .allMatch(word -> word.startsWith("ordered_metadata.sync.aligned."));
        assertThat(completed(folder, "heddle fo", "")).containsExactly("forms");
        assertThat(completed(folder, "heddle where " + HALF + " ", ""))
                .contains("A", "B", "C", "D");
    }

    private static List<String> completed(Path folder, String line, String word)
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve("script"), Ran.heddle("completion").out());
        Files.writeString(folder.resolve("answer"), Ran.heddle("find", "--complete", word).out());
        Path driver = folder.resolve("driver");
        Files.writeString(
                driver,
                """
                cd "$1"; source ./script; compopt() { :; }
                heddle() { [ "$1 $2 $3" = "find --complete $WORD" ] && cat answer; }
                COMP_LINE="$LINE"; COMP_POINT=${#LINE}
                read -r -a COMP_WORDS <<< "$LINE"; [[ "$LINE" == *" " ]] && COMP_WORDS+=("")
                COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
                _complete_heddle_opcode heddle "${COMP_WORDS[COMP_CWORD]}" ""
                printf '%s\\n' "${COMPREPLY[@]}"
                """);
        ProcessBuilder bash = new ProcessBuilder("/bin/bash", driver.toString(), folder.toString());
        bash.environment().put("LINE", line);
        bash.environment().put("WORD", word);
        Process process = bash.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return out.lines().map(String::strip).filter(each -> !each.isEmpty()).toList();
    }
}
