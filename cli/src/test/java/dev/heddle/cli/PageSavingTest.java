package dev.heddle.cli;

import static dev.heddle.cli.PageTest.DENSE;
import static dev.heddle.cli.PageTest.SPARSE;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import javax.imageio.ImageIO;

@DisplayName("Copying and saving from the page")
@ExtendWith(PageResolver.class)
final class PageSavingTest {
    private final OpenPage page;
    private final Browser browser;

    PageSavingTest(OpenPage page) {
        this.page = page;
        this.browser = page.browser;
    }

    private void press(String id) {
        browser.evaluate("document.getElementById('copied').textContent = ''");
        browser.evaluate("document.getElementById('" + id + "').click()");
        browser.await("document.getElementById('copied').textContent !== ''");
    }

    private String copied(String id) {
        browser.call("Page.bringToFront", Map.of());
        browser.call(
                "Browser.grantPermissions",
                Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
        press(id);
        return browser.string("navigator.clipboard.readText()");
    }

    private byte[] saved(String id, Path folder, String name) {
        browser.call(
                "Browser.setDownloadBehavior",
                Map.of("behavior", "allow", "downloadPath", folder.toString()));
        press(id);
        Path file = folder.resolve(name);
        assertThat(page.text("copied")).isEqualTo(name + " saved");
        for (int i = 0; i < 500 && !Files.exists(file); i++) {
            browser.evaluate("new Promise(done => setTimeout(done, 20))");
        }
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theLinkLeadsToTheSameState() {
        page.open("#" + OpenPage.state(SPARSE, "&v=E&f=1&at=0,9,2"));
        String link = copied("copyLink");

        page.open("");
        browser.open(link);
        assertThat(page.text("where")).contains("metadata of the chunk A[9][8..11]");
        assertThat(page.text("copied")).isEmpty();
    }

    @Test
    void codeIsCopiedAsShown() {
        page.open("#" + OpenPage.state(DENSE, "&v=B"));
        assertThat(copied("copyCode")).isEqualTo(Ran.heddle("code", DENSE).out());

        page.open("#" + OpenPage.state(DENSE, "&v=B&code=cute"));
        assertThat(copied("copyCode")).isEqualTo(Ran.heddle("code", DENSE, "--as", "cute").out());

        page.open("#" + OpenPage.state(DENSE, "&v=B&code=indices"));
        assertThat(copied("copyCode")).contains("int b_row(int lane, int i)");
    }

    @Test
    void aSavedFigureIsThatOfTheCommandWithCaptionAndSection(@TempDir Path folder) {
        page.open("#" + OpenPage.state(SPARSE, "&v=E&f=1"));
        String svg =
                new String(
                        saved(
                                "saveSvg",
                                folder,
                                SPARSE.replace("::", "-").replace(".", "-") + "-E1.svg"),
                        java.nio.charset.StandardCharsets.UTF_8);

        assertThat(svg)
                .isEqualTo(
                        Ran.heddle("layout", SPARSE, "E", "--selector", "1", "--as", "svg").out());
        assertThat(svg)
                .contains("<text class=\"title\"")
                .contains("PTX ISA 9.7.14.6.2.2, figure 122");
        page.nothingWentWrong();
    }

    @Test
    void aSavedPictureShowsTheWholeFigure(@TempDir Path folder) throws IOException {
        page.open("#" + OpenPage.state(DENSE, "&v=A"));
        byte[] png = saved("savePng", folder, DENSE.replace(".", "-") + "-A.png");
        var image = ImageIO.read(new ByteArrayInputStream(png));

        assertThat(image.getWidth()).isGreaterThan(1400);
        assertThat(image.getHeight()).isGreaterThan(1200);
        long colours =
                java.util.stream.IntStream.range(0, image.getWidth() * image.getHeight())
                        .filter(i -> i % 97 == 0)
                        .map(i -> image.getRGB(i % image.getWidth(), i / image.getWidth()))
                        .distinct()
                        .count();
        assertThat(colours).isGreaterThan(32);
        page.nothingWentWrong();
    }
}
