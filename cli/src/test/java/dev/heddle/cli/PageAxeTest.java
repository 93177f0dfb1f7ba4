package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Every form, or every so many, before axe-core: `-Dheddle.axe=FILE` names its `axe.min.js`,
/// `-Dheddle.axe.every=N` takes every N-th form.
@DisplayName("The page before axe-core")
@ExtendWith(PageResolver.class)
@EnabledIfSystemProperty(
        named = "heddle.axe",
        matches = ".+",
        disabledReason = "axe-core is not part of this project: name its file")
final class PageAxeTest {
    private static final int EVERY = Integer.getInteger("heddle.axe.every", 1);

    private final OpenPage page;
    private final Browser browser;

    PageAxeTest(OpenPage page) {
        this.page = page;
        this.browser = page.browser;
    }

    @Test
    void nothingIsFoundOnAnyForm() throws IOException {
        String axe = Files.readString(Path.of(System.getProperty("heddle.axe", "")));
        browser.call("Page.setBypassCSP", Map.of("enabled", true));
        page.open("");
        browser.evaluate(axe + "; 0");
        List<Form> forms = Forms.all();
        for (int i = 0; i < forms.size(); i += EVERY) {
            Form form = forms.get(i);
            browser.colors(i / EVERY % 2 == 0 ? "light" : "dark");
            browser.follow(
                    OpenPage.state(
                            form.opcode(), "&src=" + form.aSource().word() + "&v=D&lane=5&step=2"));
            browser.evaluate(
                    "document.querySelectorAll('details').forEach(d => { d.open = true; })");
            assertThat(
                            browser.string(
                                    "axe.run(document, {resultTypes: ['violations']}).then(r =>"
                                            + " r.violations.map(v => v.id + ' ' +"
                                            + " v.nodes[0].html.slice(0, 120)).join('\\n'))"))
                    .as(form.toString())
                    .isEmpty();
        }
        page.nothingWentWrong();
    }
}
