package dev.heddle.vm.texture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.texture.TexelArray.Layering;
import dev.heddle.vm.texture.TexelFormat.Channel;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/// Loads, stores and reductions of every geometry, width, operation and treatment of places
/// outside, 128 threads each, against an H100 (driver 580.159.04, 2026-11-23): a line of the
/// recording has the experiment's name, and checksums of what was loaded and of the texels left.
/// All inputs follow from the name.
@DisplayName("surfaces of every shape have the bits of an H100")
final class SurfaceShapesOfAnH100Test {
    private static final int THREADS = 128;
    private static final int WIDTH = 24;
    private static final long STORED = 0x0123456789abcdefL; // by all, so that no order matters

    /// An experiment: `ld_2d_clamp_b32_v2`, `st_a1d_zero_b8_s`, `red_3d_trap_min_u64_b`.
    ///
    /// @param elements of an access
    /// @param unit bytes of which the first coordinate is a multiple
    private record Experiment(
            String kind,
            String geometry,
            String outside,
            String instruction,
            String type,
            int bytes,
            int elements,
            int unit) {

        static Experiment of(String name) {
            String[] part = name.split("_", -1);
            boolean reduction = part[0].equals("red");
            String type = reduction ? part[4] : part[3];
            int bytes = Integer.parseInt(type.substring(1)) / 8;
            if (!reduction) {
                int elements = part[4].equals("s") ? 1 : part[4].charAt(1) - '0';
                String vector = elements == 1 ? "" : "." + part[4];
                String opcode = (part[0].equals("ld") ? "suld.b." : "sust.b.") + part[1] + vector;
                return new Experiment(
                        part[0], part[1], part[2], opcode, type, bytes, elements, bytes * elements);
            }
            boolean formatted = part[5].equals("p");
            String opcode = "sured." + part[5] + "." + part[3] + "." + part[1];
            return new Experiment(
                    "red", part[1], part[2], opcode, type, bytes, 1, formatted ? 1 : bytes);
        }

        String ptx() {
            String typed = unit == 1 && kind.equals("red") ? "b" + 8 * bytes : type;
            String full = "%s.%s.%s".formatted(instruction, typed, outside);
            String place =
                    switch (geometry) {
                        case "1d" -> "{%r1}";
                        case "2d" -> "{%r1, %r2}";
                        case "3d" -> "{%r1, %r2, %r3, %r3}";
                        case "a1d" -> "{%r2, %r1}";
                        default -> "{%r3, %r1, %r2, %r2}";
                    };
            String register = bytes < 4 ? "%h" : bytes == 4 ? "%v" : "%w";
            String suffix = bytes < 4 ? "u16" : "u" + 8 * bytes;
            StringBuilder body = new StringBuilder();
            StringBuilder list = new StringBuilder();
            for (int i = 0; i < elements; i++) {
                list.append(i == 0 ? "" : ", ").append(register).append(i);
            }
            String operand = elements == 1 ? list.toString() : "{" + list + "}";
            if (kind.equals("ld")) {
                body.append("%s %s, [%%rd4, %s];\n".formatted(full, operand, place));
                for (int i = 0; i < elements; i++) {
                    String moved = bytes == 8 ? "mov.u64" : "cvt.u64." + suffix;
                    body.append("%s %%rd7, %s%d;\n".formatted(moved, register, i));
                    body.append("st.global.u64 [%%rd1+%d], %%rd7;\n".formatted(8 * i));
                }
                return body.toString();
            }
            for (int i = 0; i < elements; i++) {
                String moved = bytes == 8 ? "mov.u64" : "cvt." + suffix + ".u64";
                body.append("shr.u64 %%rd7, %%rd6, %d;\n".formatted(8 * i));
                body.append("%s %s%d, %%rd7;\n".formatted(moved, register, i));
            }
            return body.append("%s [%%rd4, %s], %s;\n".formatted(full, place, operand)).toString();
        }

        int height() {
            return geometry.endsWith("2d") || geometry.equals("3d") ? 10 : 0;
        }

        int depth() {
            return switch (geometry) {
                case "3d", "a2d" -> 6;
                case "a1d" -> 10;
                default -> 0;
            };
        }

        TexelFormat format() {
            int channelBytes = Math.min(bytes, 4);
            String sign = kind.equals("red") && type.startsWith("s") ? "S" : "U";
            return new TexelFormat(
                    Channel.valueOf(sign + 8 * channelBytes), elements * bytes / channelBytes);
        }

        byte[] texels() {
            int texel = bytes * elements;
            byte[] texels = new byte[WIDTH * Math.max(1, height()) * Math.max(1, depth()) * texel];
            for (int i = 0; i < texels.length; i++) {
                texels[i] = (byte) (mixed(i * 7L + texel) >>> 3);
            }
            return texels;
        }

        /// A number below the limit, or up to three beyond on both sides.
        private int coordinate(int thread, int salt, int limit) {
            int margin = outside.equals("trap") ? 0 : 3;
            return (int) Long.remainderUnsigned(mixed(thread * 31L + salt), limit + 2 * margin)
                    - margin;
        }

        /// Three coordinates and a word of each thread, then values of 8 bytes.
        byte[] operands(int skew) {
            ByteBuffer all = ByteBuffer.allocate(THREADS * 24).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < THREADS; i++) {
                int second = geometry.equals("1d") ? 0 : coordinate(i, 2, 10);
                int third =
                        geometry.equals("3d") || geometry.equals("a2d") ? coordinate(i, 3, 6) : 0;
                all.putInt(coordinate(i, 1, WIDTH) * unit + skew).putInt(second).putInt(third);
                all.putInt(0).putLong(kind.equals("st") ? STORED : mixed(i * 5L + 99));
            }
            return all.array();
        }

        Outcome run(int skew) {
            byte[] out = new byte[THREADS * 32];
            Arrays.fill(out, (byte) 0x5a);
            Argument.Texels surface =
                    new Argument.Texels(
                            new Argument.Address("t", 0),
                            format(),
                            WIDTH,
                            height(),
                            depth(),
                            geometry.startsWith("a") ? Layering.LAYERED : Layering.NONE);
            Launch launch =
                    Launch.grid(2)
                            .block(THREADS / 2)
                            .passing(
                                    Argument.of("out", out),
                                    Argument.of("in", operands(skew)),
                                    new Argument.Surface(surface))
                            .with(Argument.of("t", texels()));
            return Machine.interpreter()
                    .run(Kernel.of(PTX.replace("BODY", ptx()), "k.ptx", "k"), launch);
        }
    }

    private static final String PTX =
            """
            .version 8.1
            .target sm_90
            .address_size 64
            .visible .entry k(.param .u64 out, .param .u64 in, .param .u64 s) {
            .reg .b64 %rd<9>, %w<4>; .reg .b32 %r<9>, %v<4>; .reg .b16 %h<4>;
            ld.param.u64 %rd1, [out];
            ld.param.u64 %rd2, [in];
            ld.param.u64 %rd4, [s];
            mov.u32 %r4, %ctaid.x;
            mov.u32 %r5, %ntid.x;
            mov.u32 %r6, %tid.x;
            mad.lo.u32 %r4, %r4, %r5, %r6;
            mad.wide.u32 %rd1, %r4, 32, %rd1;
            mad.wide.u32 %rd2, %r4, 24, %rd2;
            ld.global.v2.u32 {%r1, %r2}, [%rd2];
            ld.global.u32 %r3, [%rd2+8];
            ld.global.u64 %rd6, [%rd2+16];
            BODY
            ret;
            }
            """;

    /// SplitMix64.
    private static long mixed(long seed) {
        long x = seed + 0x9e3779b97f4a7c15L;
        x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
        x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
        return x ^ x >>> 31;
    }

    /// FNV-1a.
    private static String checksum(byte[] bytes) {
        long sum = 0xcbf29ce484222325L;
        for (byte one : bytes) {
            sum = (sum ^ one & 0xff) * 0x100000001b3L;
        }
        return "%016x".formatted(sum);
    }

    @Test
    void equal() throws IOException {
        String lines;
        try (InputStream recorded =
                getClass().getResourceAsStream("h100-surface-shapes-2026-11-23.tsv")) {
            lines =
                    new String(
                            Objects.requireNonNull(recorded).readAllBytes(),
                            StandardCharsets.UTF_8);
        }
        assertThat(lines.lines()).hasSize(555);
        lines.lines()
                .forEach(
                        line -> {
                            String name = line.substring(0, line.indexOf('\t'));
                            Outcome outcome = Experiment.of(name).run(0);
                            assertThat(outcome.findings()).as(name).isEmpty();
                            assertThat(
                                            "%s\t%s\t%s"
                                                    .formatted(
                                                            name,
                                                            checksum(outcome.buffer("out")),
                                                            checksum(outcome.buffer("t"))))
                                    .isEqualTo(line);
                        });
    }

    /// How the H100 ended with the first coordinate so many bytes further.
    @ParameterizedTest
    @CsvSource({
        "ld_1d_trap_b16_s, 1, MISALIGNED_ACCESS",
        "ld_1d_trap_b16_s, 2, SURFACE_TRAP",
        "ld_1d_clamp_b16_s, 1, MISALIGNED_ACCESS",
        "ld_2d_zero_b32_s, 2, MISALIGNED_ACCESS",
        "ld_2d_zero_b8_v4, 2, MISALIGNED_ACCESS",
        "ld_2d_clamp_b32_v4, 4, MISALIGNED_ACCESS",
        "st_2d_trap_b32_s, 2, MISALIGNED_ACCESS",
        "st_2d_trap_b32_s, 4, SURFACE_TRAP",
        "st_2d_zero_b32_s, 1, MISALIGNED_ACCESS",
        "red_2d_trap_add_u32_b, 4, SURFACE_TRAP",
        "red_2d_clamp_add_u32_b, 2, MISALIGNED_ACCESS",
        "red_2d_zero_min_u64_b, 4, MISALIGNED_ACCESS",
    })
    void ends(String name, int skew, Rule rule) {
        assertThat(Experiment.of(name).run(skew).findings().getFirst().rule()).isEqualTo(rule);
    }
}
