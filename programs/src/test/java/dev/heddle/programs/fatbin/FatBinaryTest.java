package dev.heddle.programs.fatbin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;

import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import io.airlift.compress.v3.zstd.ZstdJavaCompressor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

@DisplayName("Fat binaries: members in order, compressed or not; damaged ones are refused")
final class FatBinaryTest {
    private static final String PTX = ".version 8.0\n.target sm_80\n" + "// text\n".repeat(100);
    private static final byte[] TEXT = PTX.getBytes(StandardCharsets.UTF_8);

    /// A member as `fatbinary` of CUDA 13.0 lays it out.
    private static byte[] member(int kind, int capability, long flags, byte[] stored, int whole) {
        int payload = (stored.length + 7) / 8 * 8;
        ByteBuffer bytes = ByteBuffer.allocate(64 + payload).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putShort(0, (short) kind).putShort(2, (short) 0x101);
        bytes.putInt(4, 64).putLong(8, payload).putInt(16, stored.length);
        bytes.putInt(28, capability).putLong(40, flags).putLong(56, whole);
        bytes.put(64, stored);
        return bytes.array();
    }

    private static ByteBuffer binary(byte[]... members) {
        int size = Arrays.stream(members).mapToInt(each -> each.length).sum();
        ByteBuffer bytes = ByteBuffer.allocate(16 + size).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(0xba55ed50).putShort((short) 1).putShort((short) 16).putLong(size);
        Arrays.stream(members).forEach(bytes::put);
        return bytes.rewind();
    }

    private static byte[] lz4() {
        Lz4JavaCompressor compressor = new Lz4JavaCompressor();
        byte[] out = new byte[compressor.maxCompressedLength(TEXT.length)];
        return Arrays.copyOf(out, compressor.compress(TEXT, 0, TEXT.length, out, 0, out.length));
    }

    private static byte[] zstd() {
        ZstdJavaCompressor compressor = new ZstdJavaCompressor();
        byte[] out = new byte[compressor.maxCompressedLength(TEXT.length)];
        return Arrays.copyOf(out, compressor.compress(TEXT, 0, TEXT.length, out, 0, out.length));
    }

    @Test
    void membersComeInOrder() {
        List<DeviceImage> images =
                FatBinary.read(
                        binary(
                                member(2, 80, 0x11, new byte[] {127, 'E', 'L', 'F'}, 0),
                                member(1, 80, 0x11, TEXT, 0),
                                member(1, 90, 0x2011, lz4(), TEXT.length),
                                member(1, 100, 0x8011, zstd(), TEXT.length)));
        assertThat(images)
                .extracting(DeviceImage::kind)
                .containsExactly(
                        DeviceImage.Kind.CUBIN,
                        DeviceImage.Kind.PTX,
                        DeviceImage.Kind.PTX,
                        DeviceImage.Kind.PTX);
        assertThat(images).extracting(DeviceImage::capability).containsExactly(80, 80, 90, 100);
        assertThat(images.subList(1, 4)).extracting(DeviceImage::text).containsOnly(PTX);
    }

    @Test
    void whatIsDamagedIsRefused() {
        ByteBuffer good = binary(member(1, 90, 0x2011, lz4(), TEXT.length));
        byte[] bytes = new byte[good.remaining()];
        good.get(bytes).rewind();
        assertThatThrownBy(() -> FatBinary.read(ByteBuffer.allocate(64)))
                .hasMessageContaining("no fat binary");
        for (int place : new int[] {16 + 8, 16 + 16, 16 + 56}) {
            ByteBuffer bad = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
            bad.putInt(place, 0x7fff_ffff);
            assertThatThrownBy(() -> FatBinary.read(bad))
                    .as("byte %d", place)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void anEmptyMemberThatSaysItIsCompressedIsRefused() {
        assertThatThrownBy(() -> FatBinary.read(binary(member(1, 90, 0x2011, new byte[0], 0))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is empty");
    }

    @Test
    void modulesLinkedIntoOneHaveOneHeader() {
        String linked =
                LinkedText.of(
                        List.of(
                                ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 a;\n",
                                ".version 8.0\n"
                                        + ".target sm_80\n"
                                        + ".address_size 64\n"
                                        + ".global .u32 b;\n"));
        assertThat(linked.lines().filter(line -> line.startsWith(".version"))).hasSize(1);
        assertThat(linked).contains(".global .u32 a;").contains(".global .u32 b;");
    }

    private static String module(String... statements) {
        return ".version 8.0\n.target sm_80\n.address_size 64\n" + String.join("\n", statements);
    }

    /// PTX ISA 11.6: several modules may define `.weak` and `.common` symbols, and of the latter
    /// the largest is taken.
    @Test
    void whatSeveralModulesMayDefineIsThereOnce() {
        String weak = ".weak .func (.param .b32 r) f(.param .b32 a)\n{ // } ;\n\tret;\n}\n";
        String linked =
                LinkedText.of(
                        List.of(
                                module(".common .global .align 8 .b8 env[8];", weak),
                                module(
                                        ".common .global .align 8 .b8 env[64];",
                                        ".weak .global .u32 n = 5;",
                                        weak),
                                module(
                                        ".common .global .align 8 .b8 env[16];",
                                        ".weak .global .u32 n = 5;")));
        assertThat(linked).containsOnlyOnce(".common").contains("env[64]").doesNotContain("env[8]");
        assertThat(linked).containsOnlyOnce(" n = 5").containsOnlyOnce("f(.param");
        assertThat(BoundModule.of(Ptx.parse(linked, "linked.ptx"))).isNotNull();
    }

    /// As nvlink 13.0 links two modules that ptxas compiled from these.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ".weak .global .u32 n = 1;   | .visible .global .u32 n = 2; | 2",
                ".visible .global .u32 n = 2; | .weak .global .u32 n = 1;   | 2",
                ".weak .global .u32 n = 1;   | .weak .global .u32 n = 7;    | 1",
                ".weak .global .u32 n;       | .weak .global .u32 n = 1;    | 1",
                ".weak .global .u32 n = 1;   | .weak .global .u32 n;        | 1",
                ".common .global .u32 n;     | .visible .global .u32 n = 2; | 2",
                ".visible .global .u32 n = 2; | .common .global .u32 n;     | 2",
                ".weak .func n() { mov.u32 %r, 1; ret; } | .visible .func n() { mov.u32 %r, 2; ret;"
                        + " } | 2",
                ".visible .func n() { mov.u32 %r, 2; ret; } | .weak .func n() { mov.u32 %r, 1; ret;"
                        + " } | 2",
                ".weak .func n() { mov.u32 %r, 1; ret; } | .weak .func n() { mov.u32 %r, 7; ret; }"
                        + " | 1",
                ".visible .global .u32 n = 1; | .visible .global .u32 n = 2; | both",
                ".visible .func n() { mov.u32 %r, 1; ret; } | .visible .func n() { mov.u32 %r, 2;"
                        + " ret; } | both",
                ".common .global .u32 n[4];  | .visible .global .u32 n = 2; | both",
                ".weak .global .u32 n;       | .weak .global .u32 n[4];     | both"
            })
    void theDefinitionThatPrevails(String first, String second, String value) {
        String linked = LinkedText.of(List.of(module(first), module(second)));
        List<String> defined =
                linked.lines().filter(line -> line.equals(first) || line.equals(second)).toList();
        if (value.equals("both")) {
            assertThat(defined).containsExactly(first, second);
        } else {
            assertThat(defined).singleElement().asString().containsPattern("[=,] " + value + ";");
        }
    }

    @Test
    void aStrongFunctionInThePlaceOfAWeakOneUsesWhatStandsOnlyBehindThat() {
        String first =
                module(
                        ".weak .global .u32 v = 1;",
                        ".weak .func f() { ret; }",
                        ".visible .entry k() { .reg .u32 %r; ld.global.u32 %r, [v]; call f; ret;"
                                + " }");
        String second =
                module(
                        ".visible .global .u32 n = 1;",
                        ".visible .global .u32 v = 2;",
                        ".func g() { ret; }",
                        ".visible .func f()",
                        "{ .reg .u32 %r; ld.global.u32 %r, [n]; call g; ret; }");
        String linked = LinkedText.of(List.of(first, second));
        assertThat(linked).doesNotContain(".weak").contains("call g", "v = 2");
        assertThat(BoundModule.of(Ptx.parse(linked, "linked.ptx"))).isNotNull();
    }

    @Test
    void whatEachModuleHasForItselfHasANameForEach() {
        String module =
                module(
                        ".global .align 1 .b8 $str[3] = {118, 10};",
                        ".global .align 1 .b8 $str$1[3] = {118, 10};",
                        ".visible .entry %s()\n{\n\t.reg .b64 %%rd<2>;",
                        "\tmov.u64 %%rd1, $str;\n\tret;\n}\n");
        String linked =
                LinkedText.of(List.of(module.formatted("first"), module.formatted("second")));
        assertThat(BoundModule.of(Ptx.parse(linked, "linked.ptx"))).isNotNull();
        assertThat(linked.lines().filter(line -> line.contains("mov.u64")).distinct()).hasSize(2);
    }

    @Test
    void lineNumbersStayThoseOfTheirFiles() {
        String module =
                module(
                        ".visible .entry %1$s()\n{\n\t.loc\t1 7 3\n\tret;\n}",
                        ".file\t1 \"%1$s.cu\"\n");
        String linked = LinkedText.of(List.of(module.formatted("a"), module.formatted("b")));
        assertThat(linked).contains(".loc\t1 7 3", ".loc\t2 7 3");
        assertThat(linked).contains(".file\t1 \"a.cu\"", ".file\t2 \"b.cu\"");
    }
}
