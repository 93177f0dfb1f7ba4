package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.texture.Sampler;
import dev.heddle.vm.texture.Sampler.Addressing;
import dev.heddle.vm.texture.Sampler.Filter;
import dev.heddle.vm.texture.Sampler.Levels;
import dev.heddle.vm.texture.TexelArray.Layering;
import dev.heddle.vm.texture.TexelFormat;
import dev.heddle.vm.texture.TexelFormat.Channel;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.EnumSet;
import java.util.List;

@DisplayName("PTX ISA 9.7.10, 9.7.11: kernels with textures and surfaces")
final class TextureKernelsTest {
    private static final List<Machine> MACHINES =
            List.of(Machine.interpreter(), Machine.compiler());
    private static final TexelFormat FLOAT = new TexelFormat(Channel.F32, 1);
    private static final TexelFormat WORD = new TexelFormat(Channel.U32, 1);

    private static final String PTX =
            """
            .version 8.0
            .target sm_90
            .address_size 64
            MODULE
            .visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b) {
            .reg .b64 %rd<19>; .reg .b32 %r<29>; .reg .f32 %f<29>; .reg .pred %p<9>; .reg .b16 %h<9>;
            ld.param.u64 %rd1, [out];
            ld.param.u64 %rd2, [a];
            ld.param.u64 %rd3, [b];
            mov.u32 %r1, %tid.x;
            mad.wide.u32 %rd1, %r1, 16, %rd1;
            BODY
            ret;
            }
            """;

    private static Kernel kernel(String module, String body) {
        return Kernel.of(PTX.replace("MODULE", module).replace("BODY", body), "k.ptx", "k");
    }

    private static Launch launch(int threads, Argument a, Argument b, float... texels) {
        return Launch.grid(1)
                .block(threads)
                .passing(Argument.zeros("out", 16 * threads), a, b)
                .with(Argument.of("t", texels));
    }

    private static Argument.Texels texels(TexelFormat format, int width, int height) {
        return new Argument.Texels(
                new Argument.Address("t", 0), format, width, height, 0, Layering.NONE);
    }

    private static Sampler sampler(Filter filter, Addressing mode) {
        return new Sampler(
                List.of(mode, mode, mode),
                filter,
                false,
                false,
                false,
                List.of(0f, 0f, 0f, 0f),
                Levels.FIRST);
    }

    private static void expect(Kernel kernel, Launch launch, float... expected) {
        for (Machine machine : MACHINES) {
            Outcome outcome = machine.run(kernel, launch);
            assertThat(outcome.findings()).as(machine.name()).isEmpty();
            assertThat(outcome.floats("out")).as(machine.name()).startsWith(expected);
        }
    }

    @Test
    @DisplayName("tex.1d between two texels: a weighted mean")
    void filters() {
        Argument texture =
                new Argument.Texture(
                        texels(FLOAT, 4, 0), 1, sampler(Filter.LINEAR, Addressing.CLAMP));
        String body =
                """
                cvt.rn.f32.u32 %f1, %r1;
                mul.f32 %f1, %f1, 0f3e800000;
                tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd2, {%f1}];
                st.global.f32 [%rd1], %f2;
                """;
        // 0, 1/4, 1/2, 3/4, 1, ...: texel centres are at halves.
        Launch launch = launch(4, texture, Argument.s64(0), 8, 16, 32, 64);
        for (Machine machine : MACHINES) {
            float[] out = machine.run(kernel("", body), launch).floats("out");
            assertThat(List.of(out[0], out[4], out[8], out[12])).containsExactly(8f, 8f, 8f, 10f);
        }
    }

    @Test
    @DisplayName("a .texref variable, and a name of PTX 1.x, hold a handle")
    void variablesHoldHandles() {
        Argument texture =
                new Argument.Texture(
                        texels(FLOAT, 4, 0), 1, sampler(Filter.POINT, Addressing.CLAMP));
        String body =
                """
                mov.f32 %f1, 0f40200000;
                tex.1d.v4.f32.f32 {%f2, %f3, _, _}, [named, {%f1}];
                mov.u64 %rd4, named;
                tex.1d.v4.f32.f32 {%f3, _, _, _}, [%rd4, {%f1}];
                istypep.texref %p1, %rd4;
                selp.f32 %f4, 0f3f800000, 0f00000000, %p1;
                st.global.v4.f32 [%rd1], {%f2, %f3, %f4, %f4};
                """;
        for (String module : List.of(".global .texref named;", ".tex .u32 named;")) {
            Launch launch =
                    Launch.grid(1)
                            .block(1)
                            .passing(Argument.zeros("out", 16), Argument.s64(0), Argument.s64(0))
                            .with(Argument.of("t", new float[] {8, 16, 32, 64}))
                            .setting("named", texture);
            expect(kernel(module, body), launch, 32, 32, 1, 1);
        }
    }

    @Test
    @DisplayName("a surface and a texture over the same texels")
    void storesAndSamples() {
        Argument.Texels texels = texels(WORD, 4, 2);
        Argument texture =
                new Argument.Texture(texels, 1, sampler(Filter.POINT, Addressing.BORDER));
        String body =
                """
                shl.b32 %r2, %r1, 2;
                add.u32 %r3, %r1, 7;
                sust.b.2d.b32.trap [%rd3, {%r2, 1}], %r3;
                suld.b.2d.b32.zero %r4, [%rd3, {%r2, 1}];
                suld.b.2d.b32.zero %r5, [%rd3, {%r2, 2}];
                tex.2d.v4.u32.s32 {%r6, _, _, _}, [%rd2, {%r1, 1}];
                suq.width.b32 %r7, [%rd3];
                txq.height.b32 %r8, [%rd2];
                add.u32 %r7, %r7, %r8;
                st.global.v4.b32 [%rd1], {%r4, %r5, %r6, %r7};
                """;
        // A launch that reads what it has stored so reads anything (PTX ISA 2.3), here that.
        Launch launch =
                launch(4, texture, new Argument.Surface(texels), new float[8])
                        .withChecks(EnumSet.complementOf(EnumSet.of(RuleGroup.RACES)));
        for (Machine machine : MACHINES) {
            Outcome outcome = machine.run(kernel("", body), launch);
            assertThat(outcome.findings()).isEmpty();
            assertThat(outcome.ints("out"))
                    .containsExactly(7, 0, 7, 6, 8, 0, 8, 6, 9, 0, 9, 6, 10, 0, 10, 6);
            assertThat(outcome.ints("t")).containsExactly(0, 0, 0, 0, 7, 8, 9, 10);
        }
    }

    /// OpenCL's numbers, from the manual's tables.
    @ParameterizedTest
    @CsvSource({
        "U8, 4, false, 0x10da, 0x10b5",
        "U8, 1, true, 0x10d2, 0x10b0",
        "S16, 2, false, 0x10d8, 0x10b2",
        "S16, 4, true, 0x10d1, 0x10b5",
        "S32, 1, false, 0x10d9, 0x10b0",
        "F16, 2, false, 0x10dd, 0x10b2",
        "F32, 4, false, 0x10de, 0x10b5",
    })
    @DisplayName("PTX ISA 5.3.3: txq and suq of a channel's type and order")
    void answersForChannels(
            Channel channel, int channels, boolean asNumbers, String type, String order) {
        Argument.Texels texels = texels(new TexelFormat(channel, channels), 1, 1);
        Sampler sampler =
                new Sampler(
                        Sampler.POINT.addressing(),
                        Filter.POINT,
                        false,
                        asNumbers,
                        false,
                        List.of(0f, 0f, 0f, 0f),
                        Levels.FIRST);
        String body =
                """
                txq.channel_data_type.b32 %r4, [%rd2];
                txq.channel_order.b32 %r5, [%rd2];
                suq.channel_data_type.b32 %r6, [%rd3];
                suq.channel_order.b32 %r7, [%rd3];
                st.global.v4.b32 [%rd1], {%r4, %r5, %r6, %r7};
                """;
        Launch launch =
                launch(
                        1,
                        new Argument.Texture(texels, 1, sampler),
                        new Argument.Surface(texels),
                        1,
                        2,
                        3,
                        4);
        for (Machine machine : MACHINES) {
            int[] out = machine.run(kernel("", body), launch).ints("out");
            assertThat(out[0]).isEqualTo(Integer.decode(type));
            assertThat(out[1]).isEqualTo(Integer.decode(order));
            assertThat(out[3]).isEqualTo(out[1]);
            if (!asNumbers) {
                assertThat(out[2]).isEqualTo(out[0]);
            }
        }
    }

    @Test
    @DisplayName("what is no handle, and a store outside that traps, are found")
    void findsWrongHandles() {
        Launch launch = launch(1, Argument.s64(77), Argument.s64(0), 1);
        String body = "tex.1d.v4.f32.s32 {%f1, _, _, _}, [%rd2, {%r1}];";
        Argument surface = new Argument.Surface(texels(WORD, 1, 1));
        for (Machine machine : MACHINES) {
            Finding handle = machine.run(kernel("", body), launch).findings().getFirst();
            assertThat(handle.rule()).isEqualTo(Rule.UNKNOWN_TEXTURE);
            Finding trap =
                    machine.run(
                                    kernel("", "sust.b.2d.b32.trap [%rd3, {4, 0}], %r1;"),
                                    launch(1, Argument.s64(0), surface, 1))
                            .findings()
                            .getFirst();
            assertThat(trap.rule()).isEqualTo(Rule.SURFACE_TRAP);
        }
    }

    @Test
    @DisplayName(
            "a surface whose packed rows begin at any byte is reduced; a narrower one is named")
    void reducesInPackedRows() {
        TexelFormat byteTexels = new TexelFormat(Channel.U8, 1);
        Argument wide = new Argument.Surface(texels(byteTexels, 6, 2));
        Argument narrow = new Argument.Surface(texels(byteTexels, 2, 2));
        String body = "sured.b.add.2d.u32.clamp [%rd3, {0, 1}], 0x01010101;";
        for (Machine machine : MACHINES) {
            byte[] zeros = new byte[12];
            Outcome outcome =
                    machine.run(kernel("", body), surfaces(Argument.of("t", zeros), wide));
            assertThat(outcome.findings()).isEmpty();
            assertThat(outcome.buffer("t")).containsExactly(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0);
            Outcome other =
                    machine.run(kernel("", body), surfaces(Argument.of("t", new byte[4]), narrow));
            assertThat(other.findings().getFirst().rule()).isEqualTo(Rule.SURFACE_TRAP);
        }
    }

    private static Launch surfaces(Argument texels, Argument surface) {
        return Launch.grid(1)
                .block(1)
                .passing(Argument.zeros("out", 16), Argument.s64(0), surface)
                .with(texels);
    }
}
