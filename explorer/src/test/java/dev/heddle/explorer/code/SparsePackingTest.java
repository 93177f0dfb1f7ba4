package dev.heddle.explorer.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.formats.Matrix;
import dev.heddle.formats.Packing;
import dev.heddle.isa.CompressedTile;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.Role;
import dev.heddle.isa.SparseTile;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

@DisplayName("PTX ISA 9.7.14.6.1: the function of the host that packs metadata, compiled and run")
final class SparsePackingTest {
    private static final Path COMPILER = Path.of("/usr/bin/g++");

    /// The different functions, each with a form that has it; what tells them apart is not the
    /// comment.
    private static Map<String, Form> functions() {
        Map<String, Form> functions = new LinkedHashMap<>();
        for (Form form : Forms.all()) {
            if (form.sparse()) {
                String text = CudaSource.of(form).host();
                functions.putIfAbsent(text.replaceAll("(?m)//.*$", ""), form);
            }
        }
        return functions;
    }

    @Test
    void storesWhatTheModelStores(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(COMPILER), "no C++ compiler here");
        StringBuilder program = new StringBuilder("#include <cstdint>\n#include <cstdio>\n");
        StringBuilder main = new StringBuilder("int main() {\n");
        List<String> expected = new ArrayList<>();
        for (Form form : functions().values()) {
            int number = expected.size();
            SparseTile tile = SparseTile.of(form);
            Matrix a = pruned(tile, new SplittableRandom(number));
            program.append("namespace f%d {\n%s}\n".formatted(number, CudaSource.of(form).host()));
            main.append(call(form, tile, a, "f" + number));
            CompressedTile compressed = tile.compress(a);
            expected.add(
                    "1 "
                            + hex(units(form, compressed.stored()))
                            + " "
                            + hex(words(compressed.words(0))));
        }
        assertThat(expected).hasSizeGreaterThan(8);
        assertThat(run(folder, program + "\n" + main + "}\n")).isEqualTo(expected);
    }

    /// One chunk of a matrix of zeros has three values.
    @Test
    void refusesWhatDoesNotConform(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(COMPILER), "no C++ compiler here");
        Form form = Form.of("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32");
        String text =
                "#include <cstdint>\n#include <cstdio>\n"
                        + CudaSource.of(form).host()
                        + """
                        int main() {
                            uint16_t a[16 * 32] = {}, stored[16 * 16];
                            unsigned words[32];
                            a[0] = a[1] = 1;
                            printf("%d\\n", compress(a, stored, words));
                            a[3] = 1;
                            printf("%d\\n", compress(a, stored, words));
                        }
                        """;
        assertThat(run(folder, text)).containsExactly("1", "0");
    }

    /// Random values, a chunk with as many as it may have or fewer.
    private static Matrix pruned(SparseTile tile, SplittableRandom random) {
        long mask = (1L << tile.format().bits()) - 1;
        // Codes of small positive numbers: no sign, no NaN
        Matrix any =
                Matrix.of(
                        tile.format(),
                        tile.rows(),
                        tile.columns(),
                        (row, column) ->
                                random.nextInt(4) == 0 ? 0 : random.nextLong() & mask >> 2);
        return tile.prune(any);
    }

    private static String call(Form form, SparseTile tile, Matrix a, String namespace) {
        List<Long> units = units(form, a);
        String type = "uint%d_t".formatted(unitBits(form));
        Granularity granularity = tile.metadata().granularity();
        int stored = units.size() / granularity.width() * granularity.stored();
        int lanes = tile.metadata().lanes();
        return """
        {
            static const %s a[] = {%s};
            %s stored[%d];
            unsigned words[%d];
            printf("%%d ", %s::compress(a, stored, words));
            for (int i = 0; i < %d; i++) printf("%%s%%llx", i ? "," : "", (unsigned long long) stored[i]);
            for (int i = 0; i < %d; i++) printf("%%s%%x", i ? "," : " ", words[i]);
            printf("\\n");
        }
        """
                .formatted(
                        type,
                        units.stream().map(String::valueOf).collect(Collectors.joining(", ")),
                        type,
                        stored,
                        lanes,
                        namespace,
                        stored,
                        lanes);
    }

    /// What is kept or dropped together, as memory has it.
    private static List<Long> units(Form form, Matrix matrix) {
        Packing packing = packing(form);
        int count = form.granularity().orElseThrow().unit();
        List<Long> units = new ArrayList<>();
        for (int row = 0; row < matrix.rows(); row++) {
            for (int column = 0; column < matrix.columns(); column += count) {
                long unit = 0;
                for (int i = 0; i < count; i++) {
                    unit = packing.insert(unit, i, matrix.bits(row, column + i));
                }
                units.add(unit);
            }
        }
        return units;
    }

    private static Packing packing(Form form) {
        return form.padded() ? Packing.padded(form.type(Role.A)) : Packing.dense(form.type(Role.A));
    }

    private static int unitBits(Form form) {
        return packing(form).containerBits() * form.granularity().orElseThrow().unit();
    }

    private static List<Long> words(int[] words) {
        List<Long> list = new ArrayList<>();
        for (int word : words) {
            list.add(Integer.toUnsignedLong(word));
        }
        return list;
    }

    private static String hex(List<Long> values) {
        return values.stream().map(Long::toHexString).collect(Collectors.joining(","));
    }

    private static List<String> run(Path folder, String text)
            throws IOException, InterruptedException {
        Path source = folder.resolve("packing.cpp");
        Files.writeString(source, text);
        String program = folder.resolve("packing").toString();
        assertThat(
                        output(
                                COMPILER.toString(),
                                "-Wall",
                                "-std=c++17",
                                "-O0",
                                "-o",
                                program,
                                source.toString()))
                .isEmpty();
        return output(program).lines().toList();
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
