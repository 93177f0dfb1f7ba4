package dev.heddle.cli;

import static dev.heddle.cli.PageTest.DENSE;
import static dev.heddle.cli.PageTest.SPARSE;
import static dev.heddle.cli.PageTest.WGMMA;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.search.FormSearch;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

@DisplayName("The exported site, opened as a file")
@ExtendWith(PageResolver.class)
final class PageExportTest {
    private static final List<String> SHAPES =
            List.of("m16n8k16", "16x8x32", "k64", "16816", "64x128x16", "m64", "n8", "m16n8k17");

    /// What people look for: words, names of disassemblers, opcodes in other orders, inline
    /// assembly.
    private static final List<String> SEARCHES =
            List.of(
                    "f16 16x8x16",
                    "FP16, M16N8K16",
                    "wgmma e4m3 sparse",
                    "64x256x16 bf16",
                    "fp8 sm_89",
                    "e5m2 e4m3",
                    "int8 sp",
                    "s8 sparse ordered k32",
                    "nvfp4",
                    "double 8x8x4 rz",
                    "b1 and popc k256",
                    "row row f16",
                    "col",
                    "hopper f16",
                    "hello",
                    "sparze bf16",
                    "m16n8k17 f16",
                    "",
                    "HMMA.884.F32.F32.STEP0",
                    "HMMA.16816.F32",
                    "HMMA.16816.F16",
                    "HMMA.1688.F32.TF32",
                    "IMMA.8816.S8.S8.SAT",
                    "BMMA.168256.AND.POPC",
                    "BMMA.88128.XOR.POPC",
                    "DMMA.8x8x4",
                    "QMMA.16816.F16.E4M3.E4M3",
                    "HGMMA.SP.64x64x32",
                    "QGMMA.64x128x32.F32.E4M3.E5M2",
                    "IGMMA.64x64x32.S8.S8.SAT",
                    "QGMMA.SP",
                    "OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X",
                    "QMMA.SF.16832.F32.E4M3.E4M3.E8",
                    DENSE,
                    "  " + DENSE.toUpperCase(Locale.ROOT) + " // the usual one",
                    "mma.aligned.sync.row.col.m16n8k16.f32.f16.f16.f32",
                    DENSE + "; " + WGMMA + ";",
                    "asm volatile(\"mma.sync.aligned.m16n8k16.row.col.\"\n"
                            + " \"f32.f16.f16.f32 {%0}\");",
                    "mma.sync.aligned.m16n8k16.row.col.f23.f16.f16.f32",
                    "mma.sync",
                    "/* a comment");

    private final OpenPage page;
    private final Browser browser;

    PageExportTest(OpenPage page) {
        this.page = page;
        this.browser = page.browser;
    }

    private static void export(Path folder, String... opcodes) throws IOException {
        String[] words = {"explore", "--export", folder.toString()};
        Ran ran =
                Ran.heddle(
                        Stream.concat(Stream.of(words), Stream.of(opcodes)).toArray(String[]::new));
        try (Stream<Path> files = Files.walk(folder)) {
            long written = files.filter(Files::isRegularFile).count();
            assertThat(ran.out()).isEqualTo(written + " files in " + folder + "\n");
        }
    }

    private void point(String drawing, String tile, int row, int column) {
        double[] at = page.cell(drawing, tile, row, column);
        browser.mouse("mouseMoved", at[0], at[1]);
    }

    @Test
    void showsItsFormsAndLightsUpElementsWithoutAServer(@TempDir Path folder) throws IOException {
        export(folder, SPARSE, DENSE, WGMMA);
        String address = folder.resolve("index.html").toUri().toString();
        browser.open(address);

        assertThat(page.text("opcode")).isEqualTo(DENSE);
        point("picture", "A", 9, 10);
        assertThat(page.text("where"))
                .isEqualTo("lane 5 register 3 bits 15..0: element a6 = A[9][10]");
        assertThat(page.marked("picture")).isEqualTo("A.9.10");
        assertThat(page.marked("registers")).isEqualTo("registers.5.7");
        assertThat(page.text("rule")).startsWith("D[0][0] = ");

        page.choose("family", "mma.sp::ordered_metadata");
        assertThat(page.text("opcode")).isEqualTo(SPARSE);
        browser.evaluate("document.querySelector('#dense [data-chunk=\"9,20\"]').focus()");
        assertThat(page.text("also"))
                .contains("lane 5 bits 23..20: metadata of the chunk A[9][20..23]");
        assertThat(page.marked("picture")).isEqualTo("A.9.10 A.9.11 E.9.5");
        assertThat(page.marked("registers")).contains("registers.5.", "registers.");
        assertThat(
                        browser.string(
                                "[...document.querySelectorAll('.lit')].map(e =>"
                                        + " e.closest('#dense, #stored, #words').id).join()"))
                .isEqualTo("dense,stored,words");

        page.choose("family", "wgmma.mma_async");
        assertThat(page.text("opcode")).startsWith(WGMMA);
        point("memoryMatrix", "memoryMatrix", 3, 5);
        assertThat(page.text("address")).startsWith("address 0x");
        assertThat(page.marked("memory")).startsWith("memory.");

        assertThat(page.message()).isEmpty();
        assertThat(browser.errors).isEmpty();
        assertThat(browser.requests)
                .isNotEmpty()
                .allMatch(
                        url ->
                                url.startsWith(folder.toUri().toString())
                                        || url.startsWith("about:"));
    }

    @Test
    void opensOnAFormThatItHasAndSaysWhatItLacks(@TempDir Path folder) throws IOException {
        export(folder, WGMMA);
        String address = folder.resolve("index.html").toUri().toString();
        browser.open(address);

        assertThat(page.text("opcode")).startsWith(WGMMA);
        assertThat(page.message()).isEmpty();
        assertThat(browser.string("document.querySelector('#family option:disabled').textContent"))
                .isEqualTo("mma (not in this exported site, but in heddle explore)");
        browser.open(address + "#" + OpenPage.state(DENSE, ""));
        assertThat(page.message()).contains("this exported site has no form " + DENSE);
        assertThat(page.text("opcode")).startsWith(WGMMA);
        browser.open(address + "#ins=" + OpenPage.encoded(WGMMA + " {%f0}, %rd0;"));
        assertThat(page.message())
                .isEqualTo(
                        "this exported site shows the form alone; heddle explore checks whole"
                                + " instructions");
        assertThat(browser.errors).isEmpty();
    }

    /// The same forms in the same order as `heddle find` gives, whatever is asked.
    @Test
    void itsSearchIsThatOfTheModel(@TempDir Path folder) throws IOException {
        export(folder, DENSE);
        browser.open(folder.resolve("index.html").toUri().toString());
        browser.evaluate(
                """
                heddle.ask("catalogue", {}).then(async catalogue => {
                  catalogue.families.forEach(f => f.forms.forEach(form => { form[4] = "there"; }));
                  const lists = await heddle.ask("search", {});
                  window.answers = texts => JSON.stringify(texts.map(text =>
                    heddle.findIn(catalogue, lists, text)));
                })\
                """);
        List<String> texts = new ArrayList<>(SEARCHES);
        List<?> words =
                (List<?>)
                        Json.parse(
                                browser.string(
                                        "heddle.ask(\"search\", {}).then(l =>"
                                            + " JSON.stringify(Object.keys(l.words).concat(Object.keys(l.targets),"
                                            + " l.idle)))"));
        Random random = new Random(18);
        for (int i = 0; i < Integer.getInteger("heddle.page.searches", 300); i++) {
            StringBuilder text = new StringBuilder();
            for (int word = random.nextInt(4); word >= 0; word--) {
                text.append(any(words, random)).append(' ');
                if (random.nextInt(3) == 0) {
                    text.append(any(SHAPES, random)).append(' ');
                }
            }
            if (random.nextInt(5) == 0) {
                text.deleteCharAt(random.nextInt(text.length()));
            }
            texts.add(text.toString());
        }
        List<?> answers = (List<?>) Json.parse(browser.string("answers(" + Json.line(texts) + ")"));
        for (int i = 0; i < texts.size(); i++) {
            FormSearch search = FormSearch.of(texts.get(i));
            Map<?, ?> answer = (Map<?, ?>) answers.get(i);
            assertThat(
                            ((List<?>) Objects.requireNonNull(answer.get("forms")))
                                    .stream()
                                            .map(
                                                    form ->
                                                            ((Map<?, ?>) form).get("opcode")
                                                                    + " "
                                                                    + ((Map<?, ?>) form)
                                                                            .get("source")
                                                                    + " "
                                                                    + ((Map<?, ?>) form)
                                                                            .get("missed")))
                    .as(texts.get(i))
                    .isEqualTo(
                            search.forms().stream()
                                    .limit(8)
                                    .map(
                                            match ->
                                                    match.form().opcode()
                                                            + " "
                                                            + match.form().aSource().word()
                                                            + " "
                                                            + match.missed())
                                    .toList());
            assertThat(answer.get("unknown")).as(texts.get(i)).isEqualTo(search.unknown());
            assertThat(answer.get("matching")).as(texts.get(i)).isEqualTo(search.forms().size());
            assertThat(
                            ((List<?>) Objects.requireNonNull(answer.get("asked")))
                                    .stream()
                                            .map(
                                                    asked ->
                                                            String.valueOf(
                                                                    ((Map<?, ?>) asked)
                                                                            .get("meaning"))))
                    .as(texts.get(i))
                    .isEqualTo(search.asked().stream().map(FormSearch.Asked::meaning).toList());
        }
        assertThat(browser.errors).isEmpty();
    }

    private static Object any(List<?> list, Random random) {
        return Objects.requireNonNull(list.get(random.nextInt(list.size())));
    }

    @Test
    void onlyLegalFormsAreExported(@TempDir Path folder) {
        assertThat(
                        Ran.heddle("explore", "--export", folder.toString(), "mma.sync.aligned.m9")
                                .err())
                .contains("m9");
        assertThat(Ran.heddle("explore", DENSE).err())
                .contains("OPCODE " + DENSE + ": only with --export DIR");
    }
}
