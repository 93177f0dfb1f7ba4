package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.Forms;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

@DisplayName("The page in a browser")
@ExtendWith(PageResolver.class)
final class PageTest {
    static final String DENSE = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    static final String SPARSE =
            "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";
    static final String WGMMA = "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16";
    static final Path SHOTS = Path.of("target", "screenshots");

    private final OpenPage page;
    private final Browser browser;

    PageTest(OpenPage page) {
        this.page = page;
        this.browser = page.browser;
    }

    private void open(String state) {
        page.open(state.isEmpty() ? "" : "#" + state);
    }

    private static String state(String opcode, String more) {
        return OpenPage.state(opcode, more);
    }

    @Test
    void opensOnAFormAndPaintsAtOnce() {
        open("");

        assertThat(page.text("opcode")).isEqualTo(DENSE);
        assertThat(page.labels("picture")).contains("T5 a2 a3 r1", "T5 b0 b1 r0", "T5 d3 r3");
        assertThat(page.labels("registers")).contains("a6 9,10");
        assertThat(page.message()).isEmpty();
        assertThat(
                        browser.evaluate(
                                "performance.getEntriesByName('first-contentful-paint')[0]"
                                        + ".startTime < 3000"))
                .isEqualTo(true);
        browser.screenshot(SHOTS.resolve("start.png"));
        page.nothingWentWrong();
    }

    @Test
    void choosesAFormAmongTheLegalOnesAndSaysWhyOthersAreNot() {
        open("");
        page.choose("family", "mma.sp");
        page.choose("shape", "m16n8k64");

        assertThat(page.text("opcode")).startsWith("mma.sp.sync.aligned.m16n8k64.row.col.");
        assertThat(options("types", ""))
                .isNotEmpty()
                .allMatch(
                        types ->
                                Forms.all().stream()
                                        .anyMatch(
                                                form ->
                                                        form.opcode()
                                                                .equals(
                                                                        "mma.sp.sync.aligned.m16n8k64."
                                                                                + types)));
        assertThat(options("selector", ":disabled"))
                .isNotEmpty()
                .allMatch(o -> o.contains("expected one of [0]") && o.contains("PTX ISA 9.7.14.6"));
        page.choose("target", "sm_75");
        assertThat(page.text("opcode")).startsWith("mma.sync.aligned.");
        assertThat(options("family", ":disabled"))
                .hasSize(4)
                .allMatch(o -> o.endsWith("(not on sm_75)"));
        assertThat(options("shape", ":disabled")).allMatch(o -> o.contains("needs PTX ISA"));
        page.nothingWentWrong();
    }

    private List<String> options(String id, String which) {
        return browser.string(
                        "[...document.querySelectorAll('#%s option%s')].map(o => o.textContent).join('\\n')"
                                .formatted(id, which))
                .lines()
                .toList();
    }

    @Test
    void showsOperandsThatTheFormLacksWithTheReason() {
        open(state(WGMMA, "&src=smem&v=D"));
        String a = "document.querySelector('#operands button')";

        assertThat(browser.string(a + ".getAttribute('aria-disabled')")).isEqualTo("true");
        browser.evaluate(a + ".click()");
        assertThat(page.message()).isEqualTo("A: read from shared memory (PTX ISA 9.7.15.5.1.2)");
        assertThat(page.labels("picture")).contains("T0 d0");
        page.nothingWentWrong();
    }

    @Test
    void showsAFormThatTheTargetLacksWithTheReason() {
        open(state(DENSE, "&target=sm_75"));

        assertThat(page.message())
                .isEqualTo("not on sm_75: this form needs PTX ISA 7.0, sm_80 or higher");
        assertThat(page.text("opcode")).isEqualTo(DENSE);
        page.nothingWentWrong();
    }

    @Test
    void hoveringAnElementMarksItInEveryView() {
        open(state(SPARSE, "&v=A&meta=12:44444844"));
        double[] at = page.cell("picture", "A", 3, 5);
        browser.mouse("mouseMoved", at[0], at[1]);

        browser.await("(document.getElementById('picture').dataset.marked || '').includes('E.')");
        assertThat(page.text("where"))
                .isEqualTo("lane 14 register 0 bits 31..16: element a1 = A[3][8..11]");
        // the nibble is 0b1000: elements 0 and 2 of the chunk
        assertThat(page.text("also"))
                .contains("lane 12 bits 11..8: metadata of the chunk A[3][8..11]")
                .contains("metadata 0b1000 says it is A[3][10]");
        assertThat(page.marked("picture")).isEqualTo("A.3.5 E.3.2");
        assertThat(page.marked("registers")).isEqualTo("registers.14.0");
        assertThat(lit("dense")).isEqualTo("3,8/10/");
        assertThat(lit("stored")).isEqualTo("3,8//1");
        assertThat(lit("words")).isEqualTo("3,8//");
        browser.click(at[0], at[1]);
        assertThat(browser.string("location.hash")).contains("at=0%2C3%2C5").contains("lane=14");
        assertThat(page.text("fragment"))
                .contains("Lane 14 holds")
                .contains("4 registers, 8 elements");
        page.nothingWentWrong();
    }

    @Test
    void whatLightsUpIsScrolledIntoSight() {
        browser.window(700, 500, 1);
        open(state(SPARSE, "&v=A"));
        double[] at = page.cell("picture", "A", 15, 15);
        browser.mouse("mouseMoved", at[0], at[1]);

        assertThat(inView("picture")).isEqualTo("true true");
        assertThat(inView("registers")).isEqualTo("true");
        assertThat(outOfSight("#dense .lit", "#dense")).isFalse();
        assertThat(outOfSight("#words .lit", "#words")).isFalse();
        page.nothingWentWrong();
    }

    /// Of each mark of a drawing, whether it is in the part that is shown.
    private String inView(String drawing) {
        return browser.string(
                """
                (() => { const sheet = heddle.sheets.%s;
                  return document.getElementById('%s').dataset.marked.split(' ').map(each => {
                    const [tile, row, column] = each.split('.');
                    const [x, y] = sheet.corner(sheet.tile(tile), Number(row), Number(column));
                    return x >= 0 && y >= 0 && x < sheet.width && y < sheet.viewHeight;
                  }).join(' '); })()\
                """
                        .formatted(drawing, drawing));
    }

    /// Whether any part of an element is outside of the box that scrolls it.
    private boolean outOfSight(String element, String host) {
        return (boolean)
                Objects.requireNonNull(
                        browser.evaluate(
                                """
                                (() => {
                                  const e = document.querySelector('%s').getBoundingClientRect();
                                  const h = document.querySelector('%s').getBoundingClientRect();
                                  return e.left < h.left || e.right > h.right || e.top < h.top || e.bottom > h.bottom;
                                })()\
                                """
                                        .formatted(element, host)));
    }

    /// What is lit in a part of the editor: chunk, column and index.
    private String lit(String id) {
        return browser.string(
                ("[...document.querySelectorAll('#%s .lit')].map(e =>"
                     + " [e.closest('[data-chunk]').dataset.chunk, e.dataset.column || '',"
                     + " e.dataset.index || ''].join('/')).join()")
                        .formatted(id));
    }

    @Test
    void focusOnAChunkOfTheEditorMarksItInEveryView() {
        open(state(SPARSE, "&v=E"));
        browser.evaluate("document.querySelector('#dense [data-chunk=\"9,20\"]').focus()");

        assertThat(page.text("where"))
                .isEqualTo("lane 5 bits 23..20: metadata of the chunk A[9][20..23]");
        assertThat(page.marked("picture")).isEqualTo("E.9.5 A.9.10 A.9.11");
        assertThat(lit("words")).isEqualTo("9,20//");
        page.nothingWentWrong();
    }

    @Test
    void aPastedInstructionLandsOnItsPageWithWhatIsWrong() {
        open("");
        browser.evaluate("document.getElementById('instruction').focus()");
        browser.type(SPARSE + " {%r0,%r1}, {%r2,%r3,%r4,%r5}, {%r6,%r7,%r8,%r9}, {%f0}, %e, 0x0;");
        browser.redraw(() -> browser.press("Enter"));

        assertThat(page.text("opcode")).isEqualTo(SPARSE);
        assertThat(page.message()).contains("wrong number of registers").contains("PTX ISA");
        browser.screenshot(SHOTS.resolve("instruction.png"));
        page.nothingWentWrong();
    }

    @Test
    void aSharedLinkShowsTheSameAgain() {
        open(state(SPARSE, "&v=E&f=1&at=0,9,2&meta=6:4444444e"));

        assertThat(page.text("where"))
                .contains("lane 6 bits 27..24: metadata of the chunk A[9][8..11]");
        assertThat(browser.string("document.getElementById('selector').value")).isEqualTo("1");
        assertThat(browser.string("document.querySelector('#words [data-lane=\"6\"]').value"))
                .isEqualTo("4444444e");
        page.nothingWentWrong();
    }

    @Test
    void worksByKeyboardAlone() {
        open(state(DENSE, "&v=A"));
        browser.evaluate("document.body.focus()");
        for (int i = 0; i < 40; i++) {
            if (browser.string("document.activeElement.id").equals("picture")) {
                break;
            }
            browser.press("Tab");
        }
        assertThat(browser.string("document.activeElement.id")).isEqualTo("picture");
        browser.press("ArrowDown");
        browser.press("ArrowDown");
        browser.press("ArrowRight");
        assertThat(page.text("where"))
                .contains("lane 4 register 0 bits 31..16: element a1 = A[1][1]");
        browser.press("Enter");
        assertThat(browser.string("location.hash")).contains("at=0%2C1%2C1");
        page.nothingWentWrong();
    }

    @Test
    void everyControlCanBeReachedAndNamedByKeyboard() {
        open(state(SPARSE, "&v=A"));

        assertThat(
                        browser.string(
                                """
                                [...document.querySelectorAll('button, input, select, summary, [tabindex="0"]')]
                                  .filter(e => e.checkVisibility() && !(e.labels && e.labels.length)
                                    && !e.textContent.trim() && !e.getAttribute('aria-label'))
                                  .map(e => e.id || e.outerHTML).join()\
                                """))
                .isEmpty();
        assertThat(
                        browser.string(
                                """
                                [...document.querySelectorAll('button, input, select')]
                                  .filter(e => e.tabIndex < 0 && !e.closest('[role=radiogroup], #dense, #words') && e.checkVisibility())
                                  .map(e => e.id).join()\
                                """))
                .isEmpty();
        page.nothingWentWrong();
    }

    @Test
    void theEditorIsOneStopOfTheTabKeyAndArrowsMoveInIt() {
        open(state(SPARSE, "&v=A"));
        browser.evaluate("document.getElementById('dense').firstChild.nextSibling.focus()");
        browser.press("ArrowDown");
        browser.press("ArrowRight");
        assertThat(browser.string("document.activeElement.dataset.chunk")).isEqualTo("1,4");
        browser.press("Enter");

        // 0b0100 becomes 0b1000, and the focus stays
        assertThat(browser.string("location.hash")).contains("meta=4%3A4edc4eec");
        assertThat(browser.string("document.activeElement.dataset.chunk")).isEqualTo("1,4");
        browser.press("Tab"); // Chromium stops at stored A, which scrolls
        assertThat(browser.string("document.activeElement.id")).isEqualTo("stored");
        browser.press("Tab");
        assertThat(browser.string("document.activeElement.dataset.lane")).isEqualTo("0");
        browser.press("ArrowDown");
        assertThat(browser.string("document.activeElement.dataset.lane")).isEqualTo("1");
        browser.press("Tab");
        assertThat(browser.string("document.activeElement.id")).isEqualTo("pattern");
        page.nothingWentWrong();
    }

    @Test
    void darkAndPhoneAndTwiceAsLargeFitWithoutLoss() {
        browser.colors("dark");
        browser.window(360, 780, 2);
        open(state(SPARSE, "&v=A&at=0,3,5"));
        browser.screenshot(SHOTS.resolve("phone-dark.png"));
        assertThat(browser.evaluate("document.documentElement.scrollWidth <= 360")).isEqualTo(true);
        assertThat(cutOff()).isEmpty();
        assertThat(
                        browser.string(
                                "getComputedStyle(document.documentElement)"
                                        + ".getPropertyValue('--l0').trim()"))
                .isEqualTo("#402020");
        browser.window(640, 480, 2); // 1280 wide at 200 %
        open(state(SPARSE, "&v=A&at=0,3,5"));
        browser.screenshot(SHOTS.resolve("twice.png"));
        assertThat(browser.evaluate("document.documentElement.scrollWidth <= 640")).isEqualTo(true);
        assertThat(cutOff()).isEmpty();
        page.nothingWentWrong();
    }

    /// What stands wider than its box, outside of what scrolls.
    private String cutOff() {
        return browser.string(
                """
                [...document.querySelectorAll('header *, nav *, main *')]
                  .filter(e => e.checkVisibility() && !e.closest('.trace, .sheet, .grid, pre, .scroll, #words, select, .skip')
                    && e.getBoundingClientRect().right > innerWidth + 1)
                  .map(e => e.id || e.tagName).join()\
                """);
    }
}
