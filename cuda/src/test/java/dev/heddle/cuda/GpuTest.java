package dev.heddle.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.cuda.MatrixInstruction.Immediates;
import dev.heddle.isa.Form;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;

@DisplayName("GPU facade, over a driver without a GPU")
final class GpuTest {
    private static final Form FORM = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");

    @Test
    void aLaunchTakesBuffersThereAndBack(@TempDir Path folder) {
        try (Gpu gpu = Gpu.of(FakeDriver.build(folder).load().device(0).open())) {
            byte[] sum = new byte[8];
            gpu.launch(
                    "text",
                    "add",
                    LaunchShape.linear(1, 32),
                    List.of(
                            new Gpu.Argument.Buffer(sum),
                            new Gpu.Argument.Value(little(4).putInt(40).array()),
                            new Gpu.Argument.Value(little(8).putDouble(2.5).array())));
            assertThat(little(8).put(sum).flip().getDouble()).isEqualTo(42.5);
            assertThat(gpu.description()).isEqualTo("Fake 7 (sm_90), CUDA 13.0");
        }
    }

    @Test
    void anInstructionGetsItsRegistersAndGivesBackThoseOfD(@TempDir Path folder) {
        FakeDriver fake = FakeDriver.build(folder);
        try (Gpu gpu = Gpu.of(fake.load().device(0).open())) {
            int[] a = new int[32 * 4];
            a[0] = 41;
            int[] d =
                    gpu.execute(
                            FORM,
                            Immediates.PLAIN,
                            new CaseInput(
                                    a,
                                    new int[32 * 2],
                                    new int[32 * 4],
                                    new int[0],
                                    CaseInput.Shared.NONE));
            assertThat(d).hasSize(32 * 4).startsWith(42, 0);
            assertThat(fake.calls()).contains("grid 10101", "block 320101", "shared 0");
        }
    }

    @Test
    void anOperandOfTheWrongSizeIsNamed(@TempDir Path folder) {
        try (Gpu gpu = Gpu.of(FakeDriver.build(folder).load().device(0).open())) {
            assertThatThrownBy(
                            () ->
                                    gpu.execute(
                                            FORM,
                                            Immediates.PLAIN,
                                            new CaseInput(
                                                    new int[32 * 4],
                                                    new int[32],
                                                    new int[32 * 4],
                                                    new int[0],
                                                    CaseInput.Shared.NONE)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith("64 words of B for 32 lanes, found 32");
        }
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
