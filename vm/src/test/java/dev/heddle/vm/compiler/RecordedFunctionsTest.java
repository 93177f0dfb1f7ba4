package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.tensorcore.x86.Processor;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.ir.Extent;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/// Approximate functions in machine code beside what an H100 and an H200 made of the same inputs.
@DisplayName("Machine code of approximate functions gives the bits of the device")
final class RecordedFunctionsTest {
    private static final Path VECTORS =
            Path.of("../tensorcore/src/test/resources/dev/heddle/tensorcore/functions");

    private static final int THREADS = 128;

    private static int[] vectors(String name) throws IOException {
        try (InputStream in =
                new GZIPInputStream(Files.newInputStream(VECTORS.resolve(name + ".bin.gz")))) {
            ByteBuffer bytes = ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
            int[] words = new int[bytes.remaining() / 4];
            bytes.asIntBuffer().get(words);
            return words;
        }
    }

    /// A kernel that replaces the last word of each vector by what an instruction makes of the
    /// others.
    ///
    /// @param words of a vector
    private static Kernel kernel(String instruction, int words) {
        String text =
                """
                .version 8.0
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 vectors, .param .u32 n) {
                .reg .b64 %%rd<5>; .reg .b32 %%r<7>; .reg .f32 %%f<4>; .reg .pred %%p<2>;
                ld.param.u64 %%rd1, [vectors];
                ld.param.u32 %%r5, [n];
                mov.u32 %%r1, %%tid.x;
                mov.u32 %%r2, %%ctaid.x;
                mad.lo.s32 %%r3, %%r2, %d, %%r1;
                setp.ge.u32 %%p1, %%r3, %%r5;
                @%%p1 ret;
                mul.wide.u32 %%rd2, %%r3, %d;
                add.u64 %%rd3, %%rd1, %%rd2;
                ld.global.f32 %%f1, [%%rd3];
                ld.global.f32 %%f2, [%%rd3+4];
                %s;
                st.global.f32 [%%rd3+%d], %%f3;
                ret;
                }
                """
                        .formatted(THREADS, 4 * words, instruction, 4 * words - 4);
        return Kernel.of(text, "k.ptx", "k");
    }

    @ParameterizedTest
    @CsvSource({
        "sin_f32, sin.approx.f32",
        "sin_ftz_f32, sin.approx.ftz.f32",
        "cos_f32, cos.approx.f32",
        "cos_ftz_f32, cos.approx.ftz.f32",
        "lg2_f32, lg2.approx.f32",
        "lg2_ftz_f32, lg2.approx.ftz.f32",
        "sqrt_f32, sqrt.approx.f32",
        "sqrt_ftz_f32, sqrt.approx.ftz.f32",
        "rsqrt_f32, rsqrt.approx.f32",
        "rsqrt_ftz_f32, rsqrt.approx.ftz.f32",
        "rcp_f32, rcp.approx.f32",
        "rcp_ftz_f32, rcp.approx.ftz.f32",
        "ex2_f32, ex2.approx.f32",
        "ex2_ftz_f32, ex2.approx.ftz.f32",
        "tanh_f32, tanh.approx.f32",
        "div_approx_f32, div.approx.f32",
        "div_approx_ftz_f32, div.approx.ftz.f32",
        "div_full_f32, div.full.f32",
        "div_full_ftz_f32, div.full.ftz.f32"
    })
    void function(String recorded, String opcode) throws IOException {
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
        int words = opcode.startsWith("div") ? 3 : 2;
        Kernel kernel = kernel(opcode + (words == 3 ? " %f3, %f1, %f2" : " %f3, %f1"), words);
        assertThat(kernel.program().codes()).allMatch(NativeSteps::runCtas);
        int[] expected = vectors(recorded);
        assertThat(expected.length / words).isGreaterThan(5_000);
        ByteBuffer inputs = ByteBuffer.allocate(4 * expected.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < expected.length; i++) {
            inputs.putInt(i % words == words - 1 ? 0x5555_5555 : expected[i]);
        }
        int count = expected.length / words;
        Launch launch =
                Launch.of(
                                new Extent(Math.ceilDiv(count, THREADS), 1, 1),
                                new Extent(THREADS, 1, 1),
                                Argument.buffer("vectors", inputs.array()),
                                Argument.s32(count))
                        .withChecks(Set.of());
        try (Outcome outcome = Machine.compiler(new Compilations(0)).run(kernel, launch)) {
            assertThat(outcome.ints("vectors")).containsExactly(expected);
        }
    }
}
