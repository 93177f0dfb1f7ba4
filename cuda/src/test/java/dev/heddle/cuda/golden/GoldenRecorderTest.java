package dev.heddle.cuda.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.cuda.PtxTarget;
import dev.heddle.isa.Family;
import dev.heddle.isa.Form;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

@DisplayName("recording of golden vectors")
final class GoldenRecorderTest {
    @Test
    void aHopperExecutesEveryFamily() {
        List<Recording.NumberedForm> forms = Recording.executable();
        assertThat(forms.stream().map(numbered -> numbered.form().family()).distinct())
                .containsExactly(Family.values());
        assertThat(forms.stream().map(Recording.NumberedForm::id))
                .containsExactlyElementsOf(IntStream.range(0, forms.size()).boxed().toList());
        assertThat(forms).noneMatch(numbered -> numbered.form().blockScaled());
    }

    /// One form of each kind of kernel; all of them were assembled once, which takes a minute.
    @Test
    void theAssemblerTakesTheModulesOfARecording(@TempDir Path folder)
            throws IOException, InterruptedException {
        List<String> opcodes =
                List.of(
                        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32",
                        "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
                        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f16.f16.f16");
        List<String> modules =
                GoldenRecorder.modules(
                        Recording.of(form -> opcodes.contains(form.opcode()), 200, 5),
                        PtxTarget.SM_90A);
        assertThat(modules).hasSize(4);
        for (String module : modules) {
            Path file = folder.resolve("module.ptx");
            Files.writeString(file, module);
            Process assembler;
            try {
                assembler =
                        new ProcessBuilder(
                                        "ptxas", "-arch=sm_90a", "-o", "/dev/null", file.toString())
                                .inheritIO()
                                .start();
            } catch (IOException e) {
                assumeTrue(false, "no ptxas here: " + e.getMessage());
                return;
            }
            assertThat(assembler.waitFor()).isZero();
        }
    }

    @Test
    void aModuleHasAnEntryForEachCombinationOfImmediates() {
        Form form = Form.of("mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16");
        String module =
                GoldenRecorder.modules(
                                Recording.of(candidate -> candidate.equals(form), 200, 5),
                                PtxTarget.SM_90A)
                        .getFirst();
        assertThat(module.split("\\.entry", -1)).hasSize(1 + 4);
        assertThat(module).contains(", 0x0;", ", 0x1;", ", 0x2;", ", 0x3;");
    }
}
