package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.files.Npy;
import dev.heddle.files.Safetensors;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import javax.xml.parsers.DocumentBuilderFactory;

@DisplayName("heddle prune")
final class PruneCommandTest {
    private static final long ONE = 0x3c00;
    private static final long TWO = 0x4000;

    @TempDir Path folder;

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private static Tensor row(long... codes) {
        Tensor row = Tensor.zeros(FloatFormat.F16, List.of(1, codes.length));
        for (int i = 0; i < codes.length; i++) {
            row.codes().set(i, codes[i]);
        }
        return row;
    }

    @Test
    void pruneReportsWhatIsLeft() throws IOException {
        Tensor a = Tensor.zeros(FloatFormat.F16, List.of(1, 4));
        int[] codes = {0x3c00, 0xc400, 0x4200, 0};
        for (int i = 0; i < 4; i++) {
            a.codes().set(i, codes[i]);
        }
        Npy.write(folder.resolve("a.npy"), a);

        Ran ran =
                Ran.heddle(
                        "prune",
                        file("a.npy"),
                        "-o",
                        file("b.npy"),
                        "--json",
                        "--svg",
                        file("p.svg"));

        assertThat(ran.err()).isEmpty();
        // 1, -4, 3, 0: 25 of 26 squares stay
        assertThat(ran.out())
                .contains("\"kept\":2")
                .contains("\"norm_kept\":0.98058")
                .contains("\"worst_rows\":[{\"row\":0,\"norm_kept\":0.98058");
        assertThat(Npy.read(folder.resolve("b.npy")).bits(0)).isZero();
        assertThat(Files.readString(folder.resolve("p.svg")))
                .startsWith("<svg")
                .endsWith("</svg>\n");
    }

    @Test
    void pruneWritesTheOrderOfColumnsThatItFound() throws IOException {
        Tensor a = Tensor.zeros(FloatFormat.F16, List.of(1, 8));
        for (int i = 0; i < 4; i++) {
            a.codes().set(i, 0x3c00);
        }
        Npy.write(folder.resolve("a.npy"), a);

        Ran ran =
                Ran.heddle(
                        "prune", file("a.npy"), "--permute", "-o", file("b.safetensors"), "--json");

        // All four ones can stay: two in each group of four
        assertThat(ran.out()).contains("\"kept\":4");
        assertThat(Safetensors.open(folder.resolve("b.safetensors")).names())
                .containsExactlyInAnyOrder("tensor", "tensor.permutation");
    }

    /// The four largest scores stand in one group of four: without an order of columns two of them
    /// would go.
    private Ran permuteByScores() {
        return Ran.heddle(
                "prune",
                file("a.safetensors"),
                "--scores",
                file("s.safetensors"),
                "--permute",
                "-o",
                file("b.safetensors"));
    }

    @Test
    void scoresDecideTheOrderOfColumnsToo() throws IOException {
        Safetensors.write(
                folder.resolve("a.safetensors"),
                Map.of("w", row(ONE, ONE, ONE, ONE, TWO, TWO, TWO, TWO)));
        Safetensors.write(
                folder.resolve("s.safetensors"),
                Map.of("w", row(TWO, TWO, TWO, TWO, ONE, ONE, ONE, ONE)));

        Ran ran = permuteByScores();

        assertThat(ran.err()).isEmpty();
        Safetensors written = Safetensors.open(folder.resolve("b.safetensors"));
        Tensor pruned = written.read("w");
        Tensor order = written.read("w.permutation");
        for (int place = 0; place < 8; place++) {
            long expected = order.bits(place) < 4 ? ONE : 0;
            assertThat(pruned.bits(place)).as("place %d", place).isEqualTo(expected);
        }
    }

    @Test
    void scoresOfAnotherSizeAreRefusedBeforeColumnsAreOrdered() throws IOException {
        Safetensors.write(
                folder.resolve("a.safetensors"), Map.of("w", row(1, 2, 3, 4, 5, 6, 7, 8)));
        Safetensors.write(folder.resolve("s.safetensors"), Map.of("w", row(1, 2, 3, 4)));

        Ran ran = permuteByScores();

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("matrix \"w\": scores are 1 x 4").contains("1 x 8");
        assertThat(folder.resolve("b.safetensors")).doesNotExist();
    }

    @Test
    void thePictureOfACheckpointHasALineForEveryMatrix() throws Exception {
        Safetensors.write(
                folder.resolve("a.safetensors"),
                Map.of("q<&>", row(ONE, ONE, ONE, ONE), "k", row(TWO, 0, TWO, 0)));

        Ran ran =
                Ran.heddle(
                        "prune",
                        file("a.safetensors"),
                        "-o",
                        file("b.safetensors"),
                        "--svg",
                        file("p.svg"));

        assertThat(ran.err()).isEmpty();
        // Squares: 4 of which 2 stay, and 8 that all stay
        assertThat(ran.out())
                .contains("2 matrices: 4 of 6 elements other than zero stay, 0.9129 of the norm");
        String svg = Files.readString(folder.resolve("p.svg"));
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)));
        assertThat(svg)
                .contains(">q&lt;&amp;&gt;</text>")
                .contains(">0.7071</text>")
                .contains(">0: 0.7071</text>")
                .contains(">1.0000</text>");
    }
}
