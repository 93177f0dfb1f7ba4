package dev.heddle.vm.texture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.ir.Geometry;
import dev.heddle.vm.texture.Sampler.Addressing;
import dev.heddle.vm.texture.Sampler.Filter;
import dev.heddle.vm.texture.Sampler.Levels;
import dev.heddle.vm.texture.TexelArray.Layering;
import dev.heddle.vm.texture.TexelFormat.Channel;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/// What an H100 (driver of CUDA 13.0, 2026-11-22) read from textures: a line each with texels,
/// sampler, coordinates and the four registers that came out.
@DisplayName("textures have the bits of an H100")
final class TexturesOfAnH100Test {

    static Stream<String> recordings() throws IOException {
        try (InputStream recorded =
                TexturesOfAnH100Test.class.getResourceAsStream("h100-2026-11-22.tsv")) {
            return new String(recorded.readAllBytes(), StandardCharsets.UTF_8).lines();
        }
    }

    private static Texture texture(String[] fields) {
        TexelFormat format =
                new TexelFormat(Channel.valueOf(fields[2]), Integer.parseInt(fields[3]));
        MemorySegment bytes = Arena.ofAuto().allocate(8192, 16);
        bytes.copyFrom(MemorySegment.ofArray(Base64.getDecoder().decode(fields[14])));
        TexelArray array =
                TexelArray.packed(
                        format,
                        Integer.parseInt(fields[4]),
                        Integer.parseInt(fields[5]),
                        Integer.parseInt(fields[6]),
                        Layering.valueOf(fields[7]),
                        bytes);
        float border = Float.parseFloat(fields[12]);
        Sampler sampler =
                new Sampler(
                        Collections.nCopies(3, Addressing.valueOf(fields[8])),
                        Filter.valueOf(fields[9]),
                        Boolean.parseBoolean(fields[10]),
                        Boolean.parseBoolean(fields[11]),
                        false,
                        List.of(border, 2 * border, 3 * border, 4 * border),
                        Levels.FIRST);
        return new Texture(List.of(array), sampler);
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void readsWhatTheGpuRead(String line) {
        String[] fields = line.split("\t", -1);
        Geometry geometry = Geometry.valueOf(fields[1]);
        boolean integers = Boolean.parseBoolean(fields[13]);
        TextureUnit unit = new TextureUnit(texture(fields));
        ByteBuffer samples =
                ByteBuffer.wrap(Base64.getDecoder().decode(fields[15]))
                        .order(ByteOrder.LITTLE_ENDIAN);
        assertThat(samples.remaining()).isPositive();
        while (samples.hasRemaining()) {
            float[] given = new float[4];
            for (int i = 0; i < 4; i++) {
                float value = samples.getFloat();
                given[i] = integers ? (int) value : value;
            }
            float[] coordinates = java.util.Arrays.copyOf(given, geometry.axes());
            int[] registers = new int[4];
            for (int i = 0; i < 4; i++) {
                registers[i] = samples.getInt();
            }
            TextureUnit.Place place =
                    new TextureUnit.Place(
                            geometry, (int) given[3], coordinates, integers, new int[0]);
            assertThat(unit.read(place, 0))
                    .as("%s at %s", fields[0], java.util.Arrays.toString(given))
                    .isEqualTo(registers);
        }
    }
}
