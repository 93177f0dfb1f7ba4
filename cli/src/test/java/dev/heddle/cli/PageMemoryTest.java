package dev.heddle.cli;

import static dev.heddle.cli.PageTest.SHOTS;
import static dev.heddle.cli.PageTest.WGMMA;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@DisplayName("Shared memory of wgmma on the page")
@ExtendWith(PageResolver.class)
final class PageMemoryTest {
    private static final String SPARSE = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16";

    private final OpenPage page;
    private final Browser browser;

    PageMemoryTest(OpenPage page) {
        this.page = page;
        this.browser = page.browser;
    }

    private void open(String opcode, String more) {
        page.open("#" + OpenPage.state(opcode, "&src=smem&v=D" + more));
    }

    /// The cell of each mark in a drawing: row and column.
    private String marked(String drawing) {
        return page.marked(drawing).replace(drawing + ".", "").replace('.', ',');
    }

    private void point(String drawing, int row, int column) {
        double[] at = page.cell(drawing, drawing, row, column);
        browser.mouse("mouseMoved", at[0], at[1]);
    }

    @Test
    @DisplayName("PTX ISA 9.7.15.5.1: 128-byte swizzle, where A[11][5] of .f16 stands")
    void anElementOfALightsUpInTheMatrixAndInMemory() {
        open(WGMMA, "&role=A&mode=1");
        point("memoryMatrix", 11, 2); // columns 4 and 5 share 32 bits

        // row 11 begins at 11 * 128 = 0x580; column 4 is 8 bytes into unit 0 of 16 bytes, which
        // row 3 of eight exchanges with unit 3: 0x580 + 0x30 + 8 = 0x5b8, bank 0x38 / 4 = 14
        assertThat(page.text("address"))
                .isEqualTo("address 0x5b8, bank 14: row 11, column 4..5 of A");
        assertThat(marked("memoryMatrix")).isEqualTo("11,2");
        assertThat(marked("memory")).isEqualTo("11,14");
        point("memory", 11, 15);
        assertThat(page.text("address"))
                .isEqualTo("address 0x5bc, bank 15: row 11, column 6..7 of A");
        assertThat(marked("memoryMatrix")).isEqualTo("11,3");
        assertThat(marked("memory")).isEqualTo("11,15");
        page.nothingWentWrong();
    }

    @Test
    @DisplayName("PTX ISA 9.7.15.5.1: no swizzle, where B[9][5] of .f16 stands, by keyboard")
    void anElementOfBIsReachedByKeyboard() {
        open(WGMMA, "&role=B&mode=0");
        browser.evaluate("document.getElementById('memoryMatrix').focus()");
        for (String key : "ArrowDown ArrowDown ArrowDown ArrowDown ArrowDown".split(" ", -1)) {
            browser.press(key);
        }
        for (int i = 0; i < 5; i++) {
            browser.press("ArrowRight");
        }

        // core matrices are 8 columns of B, 16 bytes of each: 128 bytes, the second along K behind
        // the first; rows 8 and 9 share 32 bits
        assertThat(page.text("address"))
                .isEqualTo("address 0xd0, bank 20: row 8..9, column 5 of B");
        assertThat(marked("memory")).isEqualTo("1,20");
        page.nothingWentWrong();
    }

    @Test
    void aPlaceOfASparseAIsLitInTheEditorToo() {
        open(SPARSE, "&role=A&mode=0");
        point("memoryMatrix", 1, 1);

        assertThat(page.text("address"))
                .isEqualTo("address 0x14, bank 5: row 1, stored column 2..3 of A");
        assertThat(
                        browser.string(
                                "[...document.querySelectorAll('#stored .lit')].map(e =>"
                                        + " e.closest('[data-chunk]').dataset.chunk + '/' +"
                                        + " e.dataset.index).join(' ')"))
                .isEqualTo("1,4/0 1,4/1");
        browser.evaluate("document.querySelector('#dense [data-chunk=\"9,8\"]').focus()");
        assertThat(marked("memoryMatrix")).isEqualTo("9,2");
        assertThat(marked("memory")).isEqualTo("2,6");
        page.nothingWentWrong();
    }

    @Test
    void aPressedPlaceIsInTheAddressAndFollowsTheSwizzle() {
        open(WGMMA, "&role=A&mode=1");
        double[] at = page.cell("memory", "memory", 11, 14);
        browser.click(at[0], at[1]);
        String link = browser.string("location.href");
        page.open("");
        browser.open(link);

        assertThat(page.text("address")).startsWith("address 0x5b8, bank 14: row 11, column 4..5");
        page.choose("mode", "0"); // core matrices of 8 rows of 16 bytes, two of them along K
        assertThat(page.text("address")).startsWith("address 0x138, bank 14: row 11, column 4..5");
        assertThat(marked("memoryMatrix")).isEqualTo("11,2");
        page.nothingWentWrong();
    }

    @Test
    void offsetsThatOverlapShowEveryPlaceOfAnAddress() {
        // both offsets 0: every core matrix stands on the first
        open(WGMMA, "&role=A&desc=0");
        point("memory", 0, 1);

        assertThat(page.text("address"))
                .startsWith(
                        "address 0x4, bank 1: row 0, column 2..3 of A; address 0x4, bank 1: row 0,"
                                + " column 10..11 of A; ");
        assertThat(marked("memoryMatrix")).startsWith("0,1 0,5 8,1 8,5 ");
        page.nothingWentWrong();
    }

    @Test
    void showsSharedMemoryByAddressAndBank() {
        open(WGMMA, "&role=B");

        assertThat(page.labels("memory")).contains("n15 k14..15");
        assertThat(page.labels("memoryMatrix")).contains("bank 31");
        assertThat(page.text("fields")).contains("stride dimension byte offset");
        browser.colors("dark");
        browser.evaluate("document.getElementById('shared').scrollIntoView()");
        browser.screenshot(SHOTS.resolve("shared-dark.png"));
        page.choose("descriptor", "nonsense");
        assertThat(page.message()).contains("hexadecimal digits");
        page.choose("descriptor", "0xffffffffffffffff");
        assertThat(page.message()).contains("too many to draw");
        assertThat(browser.string("document.querySelector('#fields [name=stride]').value"))
                .isEqualTo("262128"); // 0x3fff units of 16 bytes
        page.choose("descriptor", "0x8000004000010000");
        assertThat(page.message()).isEmpty();
        assertThat(browser.string("document.getElementById('mode').value")).isEqualTo("2");
        page.nothingWentWrong();
    }
}
