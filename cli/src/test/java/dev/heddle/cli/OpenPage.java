package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.explorer.PageServer;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// The page, served and open in a browser.
final class OpenPage implements AutoCloseable {
    final PageServer server;
    final Browser browser;

    private OpenPage(Path executable) throws IOException {
        server = PageServer.start(0);
        browser = new Browser(executable);
    }

    static OpenPage start() throws IOException {
        OpenPage page = new OpenPage(Browser.installed().orElseThrow());
        page.desktop();
        return page;
    }

    @Override
    public void close() {
        browser.close();
        server.close();
    }

    /// A window of a desktop, in light colours, with no errors so far.
    void desktop() {
        browser.window(1400, 1000, 1);
        browser.colors("light");
        browser.errors.clear();
        browser.requests.clear();
    }

    /// Loads the page.
    ///
    /// @param state the address behind the page's own, with its `#`
    void open(String state) {
        browser.open(server.address() + state);
    }

    /// A state of the page: `op=…` and more.
    static String state(String opcode, String more) {
        return "op=" + encoded(opcode) + more;
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /// The text of an element, by its id.
    String text(String id) {
        return browser.string("document.getElementById('" + id + "').textContent");
    }

    /// What the page says is wrong; empty if nothing.
    String message() {
        return browser.string(
                "(e => e.hidden ? '' : e.textContent)(document.getElementById('message'))");
    }

    /// Sets the value of a control as a user would, and waits for the page.
    void choose(String id, String value) {
        browser.redraw(() -> enter(id, value, "change"));
    }

    /// Sets the value of a control, and says so to the page.
    void enter(String id, String value, String event) {
        browser.evaluate(
                """
                (e => { e.value = %s; e.dispatchEvent(new Event('%s', {bubbles: true})); })\
                (document.getElementById('%s'))\
                """
                        .formatted(Browser.quoted(value), event, id));
    }

    /// The middle of a cell of a drawing, in the window; brought into sight.
    ///
    /// @param drawing `picture`, `registers`, `memory` or `memoryMatrix`
    /// @param tile    the operand in the picture; else the drawing's name
    double[] cell(String drawing, String tile, int row, int column) {
        String[] parts =
                browser.string(
                                "heddle.sheets.%s.middle('%s', %d, %d).join()"
                                        .formatted(drawing, tile, row, column))
                        .split(",", -1);
        return new double[] {Double.parseDouble(parts[0]), Double.parseDouble(parts[1])};
    }

    /// The cells that are marked in a drawing: `A.3.5 E.3.2`.
    String marked(String drawing) {
        return browser.string("document.getElementById('" + drawing + "').dataset.marked || ''");
    }

    /// The labels of a drawing, as far as there is room for them.
    String labels(String drawing) {
        return browser.string("heddle.sheets." + drawing + ".texts().join('; ')");
    }

    /// No exception, no error in the console, no request to anywhere else.
    void nothingWentWrong() {
        assertThat(browser.errors).isEmpty();
        assertThat(browser.requests)
                .allMatch(
                        url ->
                                url.startsWith(server.address())
                                        || url.startsWith("about:")
                                        || url.startsWith("blob:"));
    }
}
