package dev.heddle.cli;

import static dev.heddle.cli.PageTest.DENSE;
import static dev.heddle.cli.PageTest.SPARSE;
import static dev.heddle.cli.PageTest.WGMMA;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@DisplayName("The one box, lanes, keys, history and what steps and loads")
@ExtendWith(PageResolver.class)
final class PageToolsTest {
    private final OpenPage page;
    private final Browser browser;

    PageToolsTest(OpenPage page) {
        this.page = page;
        this.browser = page.browser;
    }

    private void open(String opcode, String more) {
        page.open("#" + OpenPage.state(opcode, more));
    }

    private String marks(String selector) {
        return browser.string(
                "[...document.querySelectorAll('%s')].map(e => e.textContent).join('|')"
                        .formatted(selector));
    }

    @Test
    void wordsInTheBoxSuggestFormsAsLinks() {
        page.open("");
        browser.evaluate("document.getElementById('instruction').focus()");
        browser.type("wgmma e4m3 sparse");
        browser.await("document.querySelectorAll('#suggestions a').length > 3");
        browser.press("ArrowDown");
        assertThat(browser.string("document.activeElement.textContent"))
                .isEqualTo("wgmma.mma_async.sp.sync.aligned.m64n128k64.f32.e4m3.e4m3");
        browser.redraw(() -> browser.press("Enter"));
        assertThat(page.text("opcode"))
                .isEqualTo("wgmma.mma_async.sp.sync.aligned.m64n128k64.f32.e4m3.e4m3");
        assertThat(page.message()).isEmpty();
        page.nothingWentWrong();
    }

    @Test
    void enterTakesTheBestFormOfADisassemblersName() {
        page.open("#" + OpenPage.state(SPARSE, ""));
        browser.evaluate("document.getElementById('instruction').focus()");
        browser.type("HMMA.1688.F32.TF32");
        browser.redraw(() -> browser.press("Enter"));
        assertThat(page.text("opcode"))
                .isEqualTo("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32");
        browser.redraw(() -> browser.evaluate("history.back()"));
        assertThat(page.text("opcode")).isEqualTo(SPARSE);
        page.nothingWentWrong();
    }

    @Test
    void theWrongWordOfAnInstructionIsMarked() {
        page.open("#ins=" + OpenPage.encoded(DENSE.replace(".row.col.f32", ".row.col.f23")));
        assertThat(marks("#verdict mark")).isEqualTo(".f23");
        assertThat(marks("#verdict a")).contains(DENSE);
        assertThat(browser.string("document.querySelector('#verdict a').getAttribute('href')"))
                .startsWith("#op=");
        assertThat(page.message()).contains("PTX ISA");
        page.nothingWentWrong();
    }

    @Test
    void aPastedSourceIsListedAndChecked() {
        page.open("");
        browser.redraw(
                () ->
                        browser.evaluate(
                                """
                                (() => { const data = new DataTransfer();
                                  data.setData('text', 'asm("%s {%%0}, {%%1};");\\n// more\\nasm("%s");');
                                  document.getElementById('instruction').dispatchEvent(
                                    new ClipboardEvent('paste', {clipboardData: data, cancelable: true, bubbles: true})); })()\
                                """
                                        .formatted(DENSE, WGMMA)));
        assertThat(marks("#listing h2")).isEqualTo("the pasted text: 2 matrix instructions");
        assertThat(marks("#listing a")).isEqualTo(DENSE + "|" + WGMMA);
        assertThat(marks("#listing .finding")).contains("PTX ISA 9.7.14");
        page.nothingWentWrong();
    }

    /// PTX ISA 9.7.14.5.8: lane 5 holds A[1][2], A[1][3], A[9][2] and so on.
    @Test
    void aLaneIsListedInEveryOperandAndTheOthersFade() {
        open(DENSE, "&v=A&lane=5");
        assertThat(marks("#fragment [data-operand=A] li span"))
                .isEqualTo("A[1][2]|A[1][3]|A[9][2]|A[9][3]|A[1][10]|A[1][11]|A[9][10]|A[9][11]");
        assertThat(marks("#fragment [data-operand=B] li span"))
                .isEqualTo("B[2][1]|B[3][1]|B[10][1]|B[11][1]");
        assertThat(browser.string("heddle.sheets.picture.lights.dim")).isEqualTo("5");
        browser.evaluate("document.getElementById('laneAfter').click()");
        assertThat(browser.string("location.hash")).contains("lane=6");
        assertThat(browser.string("heddle.sheets.picture.lights.dim")).isEqualTo("6");
        page.nothingWentWrong();
    }

    @Test
    void aLaneIsChosenInTheLegend() {
        open(DENSE, "&v=A");
        double[] lane = page.cell("picture", "lanes", 1, 1);
        browser.mouse("mouseMoved", lane[0], lane[1]);
        assertThat(page.text("where"))
                .isEqualTo("Lane 5 holds elements: 8 of A, 4 of B, 4 of C, 4 of D.");
        browser.click(lane[0], lane[1]);
        assertThat(browser.string("location.hash")).contains("lane=5");
        assertThat(browser.string("heddle.sheets.picture.lights.dim")).isEqualTo("5");
        browser.click(lane[0], lane[1]);
        assertThat(browser.string("location.hash")).doesNotContain("lane=");
        browser.evaluate("document.getElementById('picture').focus()");
        browser.press("ArrowUp");
        browser.press("ArrowLeft");
        assertThat(page.text("where")).startsWith("Lane 0 holds");
        browser.press("ArrowRight");
        browser.press("ArrowDown");
        assertThat(page.text("where")).startsWith("Lane 5 holds");
        page.nothingWentWrong();
    }

    @Test
    void theOpcodeIsExplainedWordByWord() {
        open(WGMMA, "&src=smem");
        assertThat(marks("#opcode span")).startsWith("wgmma.mma_async|.sync|.aligned|.m64n");
        browser.evaluate("document.querySelector('#spelled summary').click()");
        assertThat(marks("#spelling dd")).contains("an element of A is a float of 16 bits");
        page.nothingWentWrong();
    }

    @Test
    void keysWalkThroughThePicture() {
        open(DENSE, "&v=A");
        browser.evaluate("document.getElementById('picture').focus()");
        browser.press("ArrowDown");
        browser.press("End");
        assertThat(page.text("where")).contains("= A[0][15]");
        browser.press("PageDown");
        assertThat(page.text("where")).contains("= A[8][15]");
        browser.press("ArrowRight");
        assertThat(page.text("where")).contains("= D[8][0]");
        browser.press("Home");
        browser.press("PageUp");
        browser.press("ArrowUp");
        assertThat(page.text("where")).contains("= B[15][0]");
        browser.press("Escape");
        assertThat(page.text("where")).startsWith("Point at an element");
        assertThat(browser.string("document.activeElement.id")).isEqualTo("picture");
        page.nothingWentWrong();
    }

    @Test
    void theFocusStaysOnTheOperands() {
        open(DENSE, "&v=A");
        browser.evaluate("document.querySelector('#operands button').focus()");
        browser.redraw(() -> browser.press("ArrowRight"));
        assertThat(browser.string("document.activeElement.textContent")).isEqualTo("B");
        assertThat(browser.string("location.hash")).contains("v=B");
        browser.redraw(() -> browser.evaluate("document.activeElement.click()"));
        assertThat(browser.string("document.activeElement.textContent")).isEqualTo("B");
        browser.redraw(() -> browser.evaluate("history.back()"));
        assertThat(browser.string("location.hash")).contains("v=A");
        page.nothingWentWrong();
    }

    @Test
    void anElementIsNamedAsInC() {
        open(DENSE, "&v=A");
        page.enter("element", "A[9][10]", "change");
        assertThat(page.text("where"))
                .isEqualTo("lane 5 register 3 bits 15..0: element a6 = A[9][10]");
        browser.redraw(() -> page.enter("element", "B[3][5]", "change"));
        assertThat(page.text("where")).contains("= B[3][5]");
        page.nothingWentWrong();
    }

    @Test
    void largeTilesAreZoomedAndFitted() {
        open("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", "&v=D");
        browser.evaluate("document.getElementById('zoomIn').click()");
        assertThat(browser.string("heddle.sheets.picture.zoom")).isEqualTo("1.5");
        assertThat(browser.string("document.getElementById('zoomFit').disabled"))
                .isEqualTo("false");
        browser.evaluate("document.getElementById('zoomFit').click()");
        assertThat(browser.string("heddle.sheets.picture.zoom")).isEqualTo("1");
        page.nothingWentWrong();
    }

    @Test
    void aTermIsChosenAndItsElementsLight() {
        open(DENSE, "&v=D&d=9,5&gen=sm_90");
        browser.evaluate("document.getElementById('stepOn').click()");
        browser.evaluate("document.getElementById('stepOn').click()");
        assertThat(page.text("stepSaid")).startsWith("Term 2 of 17, k 1: ");
        assertThat(page.marked("picture")).isEqualTo("A.9.1 B.1.5 D.9.5");
        assertThat(browser.string("location.hash")).contains("step=2");
        browser.evaluate("document.querySelector('#trace [data-term=\"17\"]').click()");
        assertThat(page.text("stepSaid")).startsWith("Term 17 of 17, C: ");
        page.nothingWentWrong();
    }

    @Test
    void generationsAreComparedBitByBitAndInputsThatDifferAreFound() {
        open(DENSE, "&v=D&d=0,0&gen=sm_90&gen2=sm_80");
        assertThat(page.text("compare")).contains("sm_90: ", "sm_80: ");
        browser.redraw(() -> browser.evaluate("document.getElementById('differ').click()"));
        assertThat(marks("#compare mark")).isNotEmpty();
        assertThat(page.text("compare")).doesNotContain("The same bits");
        page.nothingWentWrong();
    }

    @Test
    void theLoadPathSaysWhatConflictsAndWhatRemovesIt() {
        open(DENSE, "&load=A,128,0,0");
        assertThat(page.text("loadSaid")).startsWith("Bank conflicts: 32 passes");
        browser.redraw(
                () ->
                        browser.evaluate(
                                "document.querySelectorAll('#loadChoices button')[1].click()"));
        assertThat(page.text("loadSaid")).startsWith("No bank conflicts: 4 passes");
        page.choose("loadHow", "1");
        assertThat(page.text("loadText")).isEqualTo("ld.shared.b32 %a0, [address];");
        page.nothingWentWrong();
    }

    @Test
    void fieldsOfADescriptorAreEditedWhereTheyStand() {
        open(WGMMA, "&src=smem&v=D&role=A&mode=0");
        browser.redraw(
                () ->
                        browser.evaluate(
                                """
                                (e => { e.value = 0; e.dispatchEvent(new Event('change', {bubbles: true})); })\
                                (document.querySelector('#fields [name=leading]'))\
                                """));
        assertThat(browser.string("location.hash")).contains("desc=");
        assertThat(page.text("advice")).contains("Places overlap");
        assertThat(page.text("expression")).contains("(0 >> 4) << 16");
        page.nothingWentWrong();
    }

    @Test
    void theThemeIsChosenAndRemembered() {
        page.open("");
        browser.evaluate("document.getElementById('theme').click()");
        browser.evaluate("document.getElementById('theme').click()");
        assertThat(browser.string("document.documentElement.dataset.theme")).isEqualTo("dark");
        page.open("");
        assertThat(browser.string("document.documentElement.dataset.theme")).isEqualTo("dark");
        browser.evaluate("localStorage.clear()");
        page.nothingWentWrong();
    }

    @Test
    void theTourLeadsThroughThePicture() {
        page.open("");
        browser.redraw(() -> browser.evaluate("document.getElementById('tour').click()"));
        browser.redraw(() -> browser.evaluate("document.getElementById('tourNext').click()"));
        assertThat(page.text("where")).contains("= A[9][10]");
        browser.evaluate("document.getElementById('tourEnd').click()");
        assertThat(browser.string("document.activeElement.id")).isEqualTo("tour");
        page.nothingWentWrong();
    }

    /// Half of the first screen at least shows the picture: on a desktop, on a phone, at 200 %.
    @Test
    void thePictureIsInTheFirstScreen() {
        for (int[] size : new int[][] {{1280, 900}, {390, 844}, {720, 450}}) {
            browser.window(size[0], size[1], 1);
            open(DENSE, "");
            assertThat(
                            browser.evaluate(
                                    "document.getElementById('picture').getBoundingClientRect()"
                                            + ".top < innerHeight * 0.45"))
                    .as("%d x %d", size[0], size[1])
                    .isEqualTo(true);
        }
        page.nothingWentWrong();
    }
}
