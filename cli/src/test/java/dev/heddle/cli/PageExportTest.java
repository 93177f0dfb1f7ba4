package dev.heddle.cli;

import static dev.heddle.cli.PageTest.DENSE;
import static dev.heddle.cli.PageTest.SPARSE;
import static dev.heddle.cli.PageTest.WGMMA;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

@DisplayName("The exported site, opened as a file")
@ExtendWith(PageResolver.class)
final class PageExportTest {
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
