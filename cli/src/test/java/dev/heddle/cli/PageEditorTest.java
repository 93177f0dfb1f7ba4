package dev.heddle.cli;

import static dev.heddle.cli.PageTest.DENSE;
import static dev.heddle.cli.PageTest.SHOTS;
import static dev.heddle.cli.PageTest.SPARSE;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@DisplayName("Editing metadata and values on the page, and stepping through an element of D")
@ExtendWith(PageResolver.class)
final class PageEditorTest {
    private final OpenPage page;
    private final Browser browser;

    PageEditorTest(OpenPage page) {
        this.page = page;
        this.browser = page.browser;
    }

    private void open(String opcode, String more) {
        page.open("#" + OpenPage.state(opcode, more));
    }

    private void enterWord(int lane, String word) {
        browser.evaluate(
                "(e => { e.value = '%s'; e.dispatchEvent(new Event('change', {bubbles: true})); })(document.querySelector('#words [data-lane=\"%d\"]'))"
                        .formatted(word, lane));
    }

    @Test
    void aPressedChunkChangesMetadataAndStoredElements() {
        open(SPARSE, "&v=A");
        String chunk = "document.querySelector('#dense [data-chunk=\"1,12\"]')";
        browser.evaluate(chunk + ".click()");

        // 0b0100 becomes 0b1000: elements 0 and 2 of the chunk; lane 4 bits 15..12 describe it
        assertThat(browser.string("document.querySelector('#words [data-lane=\"4\"]').value"))
                .isEqualTo("4edc8edc");
        assertThat(browser.string(chunk + ".textContent")).contains("kept 12 14");
        assertThat(browser.string("location.hash")).contains("meta=4%3A4edc8edc");
        assertThat(browser.string("location.hash")).contains("chunk=1%2C12");
        page.enter("values", "7 8 9 0.5", "change");
        assertThat(
                        browser.string(
                                "document.querySelector('#stored"
                                        + " [data-chunk=\"1,12\"]').textContent"))
                .isEqualTo("79");
        page.enter("values", "7 eight", "change");
        assertThat(page.message()).contains("A[1][13] \"eight\": expected a number");
        page.enter("pattern", "14", "change");
        assertThat(browser.string(chunk + ".textContent")).contains("kept 14 15");
        page.nothingWentWrong();
    }

    @Test
    void aPastedWordIsDecodedAndInvalidNibblesAreExplained() {
        open(SPARSE, "&v=E");
        enterWord(4, "0x4444e445");

        assertThat(page.text("invalid"))
                .contains("lane 4, bits 3..0: 0x5 for row 1, columns 0..3")
                .contains("the two indices of a chunk must differ")
                .contains("PTX ISA 9.7.14.6.1");
        browser.evaluate("document.getElementById('sparse').scrollIntoView()");
        browser.screenshot(SHOTS.resolve("metadata.png"));
        enterWord(4, "zzz");
        assertThat(page.message()).contains("expected up to 8 hexadecimal digits");
        page.nothingWentWrong();
    }

    @Test
    void aClickedElementOfDIsSteppedThrough() {
        open(DENSE, "&v=D&gen=sm_90");
        double[] at = page.cell("picture", "D", 9, 5);
        browser.click(at[0], at[1]);
        browser.await("document.getElementById('place').value === '9,5'");

        assertThat(browser.string("location.hash")).contains("d=9%2C5");
        assertThat(page.text("executionTitle")).contains("One element of D");
        assertThat(page.text("rowALabel")).contains("Row 9 of A");
        page.nothingWentWrong();
    }

    @Test
    @DisplayName("25 fraction bits on sm_90, by hand: 1 + 1.5 + 4096 + 0.046875 + 6000000")
    void termsAreCutOffWhereTheGenerationCutsThem() {
        open(DENSE, "&v=D&d=0,0&gen=sm_90");
        page.choose("rowA", "1 0.5 4096 0.015625" + " 0".repeat(12));
        page.choose("columnB", "1 3 1 3" + " 0".repeat(12));
        page.choose("valueC", "6000000");

        // the largest exponent is 22; 2^(22-25) = 0.125 is the last place kept, 0.046875 is lost;
        // f32 has units of 0.5 there, toward zero
        assertThat(page.text("rule"))
                .contains("D[0][0] = 6004098.5 ")
                .contains("sm_90, Hopper")
                .contains("what is below 2⁻³ is cut off")
                .contains("adds up to 6004098.5");
        assertThat(browser.string("document.querySelectorAll('#steps tr')[4].textContent"))
                .isEqualTo("1k 30.01562530.046875-500.0468754098.5");
        assertThat(browser.string("document.querySelector('#trace .lost').textContent"))
                .isEqualTo("11");
        browser.evaluate("document.getElementById('executionTitle').scrollIntoView()");
        browser.screenshot(SHOTS.resolve("steps.png"));
        page.nothingWentWrong();
    }

    @Test
    void sparseOperandsComeFromTheEditor() {
        open(SPARSE, "&v=A&d=0,0&gen=sm_90");
        String before = page.text("steps");
        browser.evaluate("document.querySelector('#dense [data-chunk=\"0,0\"]').click()");
        browser.await("document.querySelectorAll('#steps td')[10].textContent === 'k 2'");

        assertThat(page.text("steps")).isNotEqualTo(before);
        enterWord(0, "44444445");
        browser.await("document.getElementById('rule').textContent.includes('undefined')");
        assertThat(page.message()).contains("PTX ISA 9.7.14.6.1");
        page.nothingWentWrong();
    }

    @Test
    void everyKindOfFormIsSteppedThrough() {
        for (String opcode :
                new String[] {
                    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
                    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
                    "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64",
                    "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
                    "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32",
                    "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
                    "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0",
                    "wgmma.mma_async.sp.sync.aligned.m64n8k64.f32.e4m3.e4m3"
                }) {
            browser.follow(OpenPage.state(opcode, "&v=D&d=1,0"));
            assertThat(page.text("opcode")).isEqualTo(opcode);
            assertThat(page.message()).as(opcode).isEmpty();
            assertThat(page.text("rule"))
                    .as(opcode)
                    .startsWith("D[1][0] = ")
                    .contains("Evidence: ");
            assertThat(page.text("steps")).as(opcode).contains("so far");
        }
        page.nothingWentWrong();
    }
}
