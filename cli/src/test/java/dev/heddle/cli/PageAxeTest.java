package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Every form, or every so many, before axe-core: `-Dheddle.axe=FILE` names its `axe.min.js`,
/// `-Dheddle.axe.every=N` takes every N-th form, from `-Dheddle.axe.first=K` on.
///
/// The page stays open and goes from form to form. axe looks with all of its rules at the whole
/// page of each structure, which is all but texts and counts, in light and in dark; and for each
/// form, in light, at every part of the page that it has not seen just so.
@DisplayName("The page before axe-core")
@ExtendWith(PageResolver.class)
@EnabledIfSystemProperty(
        named = "heddle.axe",
        matches = ".+",
        disabledReason = "axe-core is not part of this project: name its file")
final class PageAxeTest {
    private static final int EVERY = Integer.getInteger("heddle.axe.every", 1);
    private static final int FIRST = Integer.getInteger("heddle.axe.first", 0);
    private static final int REPORT_EVERY = 50;

    private final OpenPage page;
    private final Browser browser;
    private final List<String> found = new ArrayList<>();
    private int looked;
    private int structures;
    private int parts;

    PageAxeTest(OpenPage page) {
        this.page = page;
        this.browser = page.browser;
    }

    @Test
    void nothingIsFoundOnAnyForm() throws IOException {
        browser.call("Page.setBypassCSP", Map.of("enabled", true));
        page.open("");
        browser.evaluate(Files.readString(Path.of(System.getProperty("heddle.axe", ""))) + "; 0");
        try (InputStream script = PageAxeTest.class.getResourceAsStream("/page/axe-parts.js")) {
            byte[] text = Objects.requireNonNull(script).readAllBytes();
            browser.evaluate(new String(text, StandardCharsets.UTF_8));
        }
        List<Form> forms = Forms.all();
        for (int i = FIRST; i < forms.size(); i += EVERY) {
            look(forms.get(i));
        }
        assertThat(found).isEmpty();
        page.nothingWentWrong();
    }

    private void look(Form form) {
        browser.follow(
                OpenPage.state(
                        form.opcode(), "&src=" + form.aSource().word() + "&v=D&lane=5&step=2"));
        Map<?, ?> answer = (Map<?, ?>) Objects.requireNonNull(browser.evaluate("axeOfForm()"));
        collect(form, answer.get("found"));
        parts += ((Number) Objects.requireNonNull(answer.get("parts"))).intValue();
        if (Boolean.TRUE.equals(answer.get("whole"))) {
            structures++;
            browser.colors("dark");
            collect(form, browser.evaluate("axeOfPage()"));
            browser.colors("light");
        }
        if (++looked % REPORT_EVERY == 0) {
            System.out.printf(
                    "%d forms, %d structures, %d parts, %d findings%n",
                    looked, structures, parts, found.size());
        }
    }

    private void collect(Form form, @Nullable Object findings) {
        for (Object finding : (List<?>) Objects.requireNonNull(findings)) {
            found.add(form + ": " + finding);
        }
    }
}
