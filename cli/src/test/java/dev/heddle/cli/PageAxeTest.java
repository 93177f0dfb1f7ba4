package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Role;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Every form, or every so many, before axe-core: `-Dheddle.axe=FILE` names its `axe.min.js`,
/// `-Dheddle.axe.every=N` takes every N-th form, `-Dheddle.axe.structures=true` one form of each
/// structure that the page can have.
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
        List<Form> forms = Boolean.getBoolean("heddle.axe.structures") ? structures() : Forms.all();
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

    /// One form for each way in which the page's parts differ: what is drawn, how wide it is, which
    /// controls there are. Of the widths of `wgmma` the least and the greatest.
    private static List<Form> structures() {
        Map<List<Object>, Form> structures = new LinkedHashMap<>();
        for (Form form : Forms.all()) {
            int width = form.shape().n();
            if (form.family().warpgroup() && width != 8 && width != 256) {
                continue;
            }
            List<Object> structure = new ArrayList<>();
            structure.addAll(List.of(form.family(), form.aSource(), form.shape()));
            structure.addAll(List.of(form.granularity(), form.scaleVectors(), form.padded()));
            structure.addAll(List.of(form.satfinite(), form.bitOperation().isPresent()));
            for (Role role : Role.values()) {
                structure.add(form.type(role).bits());
            }
            structures.putIfAbsent(structure, form);
        }
        return List.copyOf(structures.values());
    }
}
