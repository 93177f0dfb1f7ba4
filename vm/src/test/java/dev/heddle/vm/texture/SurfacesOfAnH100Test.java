package dev.heddle.vm.texture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.texture.TexelArray.Layering;
import dev.heddle.vm.texture.TexelFormat.Channel;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/// What an H100 (driver of CUDA 13.0, 2026-11-22) read from surfaces and left in them: a line each
/// with format, instruction, operands of each thread, its registers, and the texels before and
/// after. Stores and reductions ran one after the other.
@DisplayName("surfaces have the bits of an H100")
final class SurfacesOfAnH100Test {
    /// Operands are x and y in `%r1` and `%r2`, values in `%r3` to `%r6`.
    private static final List<String> INSTRUCTIONS =
            List.of(
                    "suld.b.2d.b32.zero %r7, [%rd3, {%r1, %r2}];",
                    "suld.b.2d.b32.clamp %r7, [%rd3, {%r1, %r2}];",
                    "sust.b.2d.b32.clamp [%rd3, {%r1, %r2}], %r3;",
                    "sust.b.2d.b32.zero [%rd3, {%r1, %r2}], %r3;",
                    "sust.p.2d.v4.b32.zero [%rd3, {%r1, %r2}], {%r3, %r4, %r5, %r6};",
                    "suld.b.2d.v2.b32.clamp {%r7, %r8}, [%rd3, {%r1, %r2}];",
                    "suld.b.2d.b8.clamp {%h1}, [%rd3, {%r1, %r2}]; cvt.u32.u16 %r7, %h1;",
                    "sured.b.add.2d.u32.clamp [%rd3, {%r1, %r2}], %r3;",
                    "sured.p.max.2d.b32.zero [%rd3, {%r1, %r2}], %r3;");

    private static final String PTX =
            """
            .version 8.0
            .target sm_90
            .address_size 64
            .visible .entry k(.param .u64 out, .param .u64 in, .param .u64 s, .param .u32 n) {
            .reg .b64 %rd<9>; .reg .b32 %r<12>; .reg .pred %p<2>; .reg .b16 %h<2>;
            ld.param.u64 %rd1, [out];
            ld.param.u64 %rd2, [in];
            ld.param.u64 %rd3, [s];
            ld.param.u32 %r9, [n];
            NEXT:
            ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd2];
            xor.b32 %r5, %r3, 0x3f000000;
            xor.b32 %r6, %r4, 0x01000000;
            mov.u32 %r7, 0;
            mov.u32 %r8, 0;
            BODY
            st.global.v2.u32 [%rd1], {%r7, %r8};
            add.u64 %rd1, %rd1, 16;
            add.u64 %rd2, %rd2, 16;
            sub.u32 %r9, %r9, 1;
            setp.ne.u32 %p1, %r9, 0;
            @%p1 bra NEXT;
            ret;
            }
            """;

    static Stream<String> recordings() throws IOException {
        try (InputStream recorded =
                SurfacesOfAnH100Test.class.getResourceAsStream("h100-surfaces-2026-11-22.tsv")) {
            return new String(recorded.readAllBytes(), StandardCharsets.UTF_8).lines();
        }
    }

    private static byte[] bytes(String field) {
        return Base64.getDecoder().decode(field);
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("recordings")
    void equal(String line) {
        String[] fields = line.split("\t", -1);
        String instruction = INSTRUCTIONS.get(Integer.parseInt(fields[4]));
        TexelFormat format =
                new TexelFormat(Channel.valueOf(fields[0]), Integer.parseInt(fields[1]));
        Argument.Texels texels =
                new Argument.Texels(
                        new Argument.Address("t", 0),
                        format,
                        Integer.parseInt(fields[2]),
                        Integer.parseInt(fields[3]),
                        0,
                        Layering.NONE);
        byte[] operands = bytes(fields[5]);
        Launch launch =
                Launch.grid(1)
                        .block(1)
                        .passing(
                                Argument.zeros("out", operands.length),
                                Argument.of("in", operands),
                                new Argument.Surface(texels),
                                Argument.s32(operands.length / 16))
                        .with(Argument.of("t", bytes(fields[7])));
        Outcome outcome =
                Machine.interpreter()
                        .run(Kernel.of(PTX.replace("BODY", instruction), "k.ptx", "k"), launch);
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.buffer("out")).as(instruction).isEqualTo(bytes(fields[6]));
        assertThat(outcome.buffer("t")).as(instruction).isEqualTo(bytes(fields[8]));
    }
}
