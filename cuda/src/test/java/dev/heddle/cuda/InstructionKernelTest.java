package dev.heddle.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heddle.cuda.MatrixInstruction.Immediates;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@DisplayName("kernels around one instruction")
final class InstructionKernelTest {
    @Test
    void operandsStandInTheOrderOfTheSyntax() {
        assertThat(
                        ptx(
                                "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
                                ASource.REGISTERS,
                                new Immediates(1, 1, 1, false, false)))
                .contains(
                        "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"
                                + " {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3},"
                                + " {%b0, %b1, %b2, %b3}, {%c0, %c1, %c2, %c3}, %e0, 0x1;");
        assertThat(
                        ptx(
                                "wgmma.mma_async.sp.sync.aligned.m64n8k32.f16.f16.f16",
                                ASource.SHARED_MEMORY,
                                new Immediates(1, -1, 1, false, true)))
                .contains(" {%d0, %d1}, %descA, %descB, %e0, 0x1, %scaled, -1, 1, 0, 1;");
        assertThat(
                        ptx(
                                "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16",
                                ASource.REGISTERS,
                                new Immediates(0, 1, -1, false, true)))
                .contains(" {%d0, %d1}, {%a0, %a1, %a2, %a3}, %descB, %scaled, 1, -1, 1;");
        assertThat(
                        ptx(
                                "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8",
                                ASource.REGISTERS,
                                Immediates.PLAIN))
                .contains(" %descB, %scaled;");
    }

    @ParameterizedTest
    @CsvSource({
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64, REGISTERS",
        "mma.sync.aligned.m16n8k16.row.col.rn.f64.f64.f64.f64, REGISTERS",
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32, REGISTERS",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16, REGISTERS",
        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc, REGISTERS",
        "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16, REGISTERS",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.satfinite.s32.u4.s4.s32,"
                + " REGISTERS",
        "wgmma.mma_async.sync.aligned.m64n16k256.s32.b1.b1.and.popc, SHARED_MEMORY",
        "wgmma.mma_async.sp.sync.aligned.m64n96k32.f32.bf16.bf16, SHARED_MEMORY",
        "wgmma.mma_async.sp.sync.aligned.m64n256k64.f32.e5m2.e5m2, REGISTERS",
        "wgmma.mma_async.sync.aligned.m64n24k8.f32.tf32.tf32, REGISTERS",
    })
    void theAssemblerTakesThem(String opcode, ASource source, @TempDir Path folder)
            throws IOException, InterruptedException {
        Path file = folder.resolve("kernel.ptx");
        Files.writeString(file, ptx(opcode, source, Immediates.PLAIN));
        Process assembler;
        try {
            assembler =
                    new ProcessBuilder("ptxas", "-arch=sm_90a", "-o", "/dev/null", file.toString())
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException e) {
            assumeTrue(false, "no ptxas here: " + e.getMessage());
            return;
        }
        String said = new String(assembler.getInputStream().readAllBytes(), UTF_8);
        assertThat(assembler.waitFor()).as(said).isZero();
    }

    @Test
    void aBlockScaledFormIsRefusedAsAGap() {
        assertThatThrownBy(
                        () ->
                                MatrixInstruction.of(
                                        Form.of(
                                                "mma.sync.aligned.m16n8k64.row.col.kind::mxf4"
                                                        + ".block_scale.f32.e2m1.e2m1.f32.ue8m0")))
                .hasMessageContaining("this is a gap of Heddle");
    }

    private static String ptx(String opcode, ASource source, Immediates immediates) {
        return InstructionRunner.ptx(
                MatrixInstruction.of(Form.of(opcode, source)),
                1024,
                List.of(immediates),
                PtxTarget.SM_90A);
    }
}
