package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.isa.Form;
import dev.heddle.isa.Holding;
import dev.heddle.isa.OperandName;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

@DisplayName("The page in a browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PageTest {
    private static final String DENSE = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    private static final String SPARSE =
            "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";
    private static final long SEED = 5_20261121L;
    private static final Path SHOTS = Path.of("target", "screenshots");

    private Optional<PageServer> server = Optional.empty();
    private Optional<Browser> browser = Optional.empty();

    @BeforeAll
    void start() throws IOException {
        Optional<Path> executable = Browser.installed();
        assumeTrue(executable.isPresent(), "no Chromium here: apt-get install chromium");
        server = Optional.of(PageServer.start(0));
        browser = Optional.of(new Browser(executable.orElseThrow()));
    }

    @AfterAll
    void stop() {
        browser.ifPresent(Browser::close);
        server.ifPresent(PageServer::close);
    }

    @BeforeEach
    void desktop() {
        page().window(1400, 1000, 1);
        page().colors("light");
        page().errors.clear();
    }

    private Browser page() {
        return browser.orElseThrow();
    }

    private void open(String state) {
        page().open(server.orElseThrow().address() + state);
    }

    private static String state(String opcode, String more) {
        return "#op=" + URLEncoder.encode(opcode, StandardCharsets.UTF_8) + more;
    }

    private String text(String id) {
        return page().string("document.getElementById('" + id + "').textContent");
    }

    private void nothingWentWrong() {
        assertThat(page().errors).isEmpty();
        String own = server.orElseThrow().address();
        assertThat(page().requests)
                .allMatch(
                        url ->
                                url.startsWith(own)
                                        || url.startsWith("about:")
                                        || url.startsWith("blob:"));
    }

    /// Sets the value of a control as a user would, and waits for the page.
    private void choose(String id, String value) {
        page().redraw(
                        () ->
                                page().evaluate(
                                                ("(e => { e.value = '%s'; e.dispatchEvent(new"
                                                     + " Event('change', {bubbles: true})); })"
                                                     + "(document.getElementById('%s'))")
                                                        .formatted(value, id)));
    }

    @Test
    void opensOnAFormAndPaintsAtOnce() {
        open("");

        assertThat(text("opcode")).isEqualTo(DENSE);
        assertThat(text("matrix")).contains("T5: a2 a3");
        assertThat(text("registers")).contains("r3");
        assertThat(
                        page().evaluate(
                                        "performance.getEntriesByName('first-contentful-paint')[0]"
                                                + ".startTime < 3000"))
                .isEqualTo(true);
        page().screenshot(SHOTS.resolve("start.png"));
        nothingWentWrong();
    }

    @Test
    void choosesAFormAmongTheLegalOnes() {
        open("");
        choose("family", "mma.sp");
        choose("shape", "m16n8k64");

        assertThat(text("opcode")).startsWith("mma.sp.sync.aligned.m16n8k64.row.col.");
        choose("target", "sm_75");
        assertThat(page().string("document.getElementById('shape').selectedOptions[0].textContent"))
                .contains("needs PTX ISA");
        assertThat(page().evaluate("document.querySelectorAll('#family option:disabled').length"))
                .isEqualTo(4);
        nothingWentWrong();
    }

    @Test
    void hoveringAnElementMarksItEverywhere() {
        open(state(SPARSE, "&v=A"));
        double[] at = cell("matrix", 3, 5);
        page().mouse("mouseMoved", at[0], at[1]);

        page().await("document.querySelectorAll('#linked .mark').length === 1");
        assertThat(text("where"))
                .contains("lane 14 register 0 bits 31..16: element a1 = A[3][8..11]")
                .contains("lane 12 bits 11..8: metadata of the chunk A[3][8..11]");
        assertThat(page().evaluate("document.querySelectorAll('#registers .mark').length"))
                .isEqualTo(1);
        page().click(at[0], at[1]);
        assertThat(page().string("location.hash")).contains("at=0%2C3%2C5").contains("lane=14");
        assertThat(text("fragment")).contains("All of lane 14: 8 elements");
        nothingWentWrong();
    }

    /// The middle of a cell of a drawing's first panel, in the window.
    private double[] cell(String drawing, int row, int column) {
        String found =
                page().string(
                                ("(() => { const s = document.querySelector('#%s svg');"
                                     + " s.scrollIntoView(); const b = s.getBoundingClientRect();"
                                     + " const d = s.querySelector('.panel').dataset; return"
                                     + " [b.left + +d.left + (%d + .5) * d.width, b.top + +d.top +"
                                     + " (%d + .5) * d.height].join(); })()")
                                        .formatted(drawing, column, row));
        String[] parts = found.split(",", -1);
        return new double[] {Double.parseDouble(parts[0]), Double.parseDouble(parts[1])};
    }

    @Test
    void editingAChunkChangesMetadataAndStoredElements() {
        open(state(SPARSE, "&v=A"));
        String chunk = "document.querySelector('#dense [data-chunk=\"1,12\"]')";
        page().evaluate(chunk + ".click()");
        page().evaluate(chunk + ".click()");

        // 0b0100 becomes 0b1000: elements 0 and 2 of the chunk; lane 4 bits 15..12 describe it
        assertThat(page().string("document.querySelector('#words [data-lane=\"4\"]').value"))
                .isEqualTo("44448444");
        assertThat(page().string(chunk + ".getAttribute('aria-label')")).contains("kept 12 14");
        assertThat(page().string("location.hash")).contains("meta=4%3A44448444");
        page().evaluate(
                        "(e => { e.value = '7 8 9 x'; e.dispatchEvent(new Event('change')); })"
                                + "(document.getElementById('values'))");
        assertThat(text("stored")).contains("7 9");
        nothingWentWrong();
    }

    @Test
    void aPastedWordIsDecodedAndInvalidNibblesAreExplained() {
        open(state(SPARSE, "&v=E"));
        page().evaluate(
                        "(e => { e.value = '0x4444e445'; e.dispatchEvent(new Event('change')); })"
                                + "(document.querySelector('#words [data-lane=\"4\"]'))");

        assertThat(text("invalid"))
                .contains("lane 4, bits 3..0: 0x5 for row 1, columns 0..3")
                .contains("the two indices of a chunk must differ")
                .contains("PTX ISA 9.7.14.6.1");
        page().evaluate("document.getElementById('sparse').scrollIntoView()");
        page().screenshot(SHOTS.resolve("metadata.png"));
        page().evaluate(
                        "(e => { e.value = 'zzz'; e.dispatchEvent(new Event('change')); })"
                                + "(document.querySelector('#words [data-lane=\"4\"]'))");
        assertThat(text("message")).contains("expected up to 8 hexadecimal digits");
        nothingWentWrong();
    }

    @Test
    void aPastedInstructionLandsOnItsPageWithWhatIsWrong() {
        open("");
        page().evaluate("document.getElementById('instruction').focus()");
        page().type(SPARSE + " {%r0,%r1}, {%r2,%r3,%r4,%r5}, {%r6,%r7,%r8,%r9}, {%f0}, %e, 0x0;");
        page().redraw(() -> page().press("Enter"));

        assertThat(text("opcode")).isEqualTo(SPARSE);
        assertThat(text("message")).contains("wrong number of registers").contains("PTX ISA");
        nothingWentWrong();
    }

    @Test
    void aSharedLinkShowsTheSameAgain() {
        open(state(SPARSE, "&v=E&f=1&at=0,9,2&meta=6:4444444e"));

        assertThat(text("where")).contains("lane 6 bits 27..24: metadata of the chunk A[9][8..11]");
        assertThat(page().string("document.getElementById('selector').value")).isEqualTo("1");
        assertThat(page().string("document.querySelector('#words [data-lane=\"6\"]').value"))
                .isEqualTo("4444444e");
        nothingWentWrong();
    }

    @Test
    void worksByKeyboardAlone() {
        open(state(DENSE, "&v=A"));
        page().evaluate("document.body.focus()");
        for (int i = 0; i < 40; i++) {
            if (page().string("document.activeElement.id").equals("matrix")) {
                break;
            }
            page().press("Tab");
        }
        assertThat(page().string("document.activeElement.id")).isEqualTo("matrix");
        page().press("ArrowDown");
        page().press("ArrowDown");
        page().press("ArrowRight");
        assertThat(text("where")).contains("lane 4 register 0 bits 31..16: element a1 = A[1][1]");
        page().press("Enter");
        assertThat(page().string("location.hash")).contains("at=0%2C1%2C1");
        nothingWentWrong();
    }

    @Test
    void stepsThroughAnElementOfD() {
        open(state(DENSE, "&v=D&eg=sm_90&ea=1 0.5 4096&eb=1 3 1&ec=1000000"));

        assertThat(text("rule")).contains("sm_90, Hopper").contains("Evidence: ");
        assertThat(text("steps")).contains("a x b, exact");
        // 1 + 1.5 + 4096 + 1000000, rounded toward zero to the 1/16 that f32 keeps there
        assertThat(text("rule")).contains("Result 1004098.5 ");
        page().evaluate("document.getElementById('executionTitle').scrollIntoView()");
        page().screenshot(SHOTS.resolve("steps.png"));
        open(state(DENSE, "&eg=sm_1&ea=x"));
        assertThat(text("rule")).contains("expected one of");
        nothingWentWrong();
    }

    @Test
    void showsSharedMemoryByAddressAndBank() {
        open(state("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16", "&src=smem&v=D&role=B"));

        assertThat(text("memory")).contains("bank 31").contains("n15");
        assertThat(text("fields")).contains("stride dimension byte offset");
        page().colors("dark");
        page().evaluate("document.getElementById('shared').scrollIntoView()");
        page().screenshot(SHOTS.resolve("shared-dark.png"));
        choose("descriptor", "nonsense");
        assertThat(text("sharedCaption")).contains("hexadecimal digits");
        nothingWentWrong();
    }

    @Test
    void darkAndPhoneAndTwiceAsLargeFit() {
        page().colors("dark");
        page().window(390, 844, 2);
        open(state(DENSE, "&v=B"));
        page().screenshot(SHOTS.resolve("phone-dark.png"));
        assertThat(page().evaluate("document.documentElement.scrollWidth <= 390")).isEqualTo(true);
        assertThat(
                        page().string(
                                        "getComputedStyle(document.querySelector('#matrix .l0'))"
                                                + ".fill"))
                .isNotEqualTo("rgb(222, 241, 255)");
        page().window(700, 500, 2); // 1400 wide at 200 %
        open(state(SPARSE, "&v=A"));
        assertThat(page().evaluate("document.documentElement.scrollWidth <= 700")).isEqualTo(true);
        nothingWentWrong();
    }

    @Test
    void malformedAddressesGetAMessageAndAPage() {
        open("");
        Random random = new Random(SEED);
        List<String> junk =
                List.of(
                        "",
                        "x",
                        "-1",
                        "999999999999",
                        "<img src=x onerror=alert(1)>",
                        "%00%ff",
                        "mma.sync",
                        DENSE,
                        "0,99,99",
                        "a:b:c",
                        "e:4444",
                        "4:zzzzzzzz",
                        "{",
                        "NaN");
        List<String> names =
                List.of(
                        "op",
                        "src",
                        "v",
                        "f",
                        "t",
                        "at",
                        "lane",
                        "target",
                        "ins",
                        "meta",
                        "val",
                        "role",
                        "mode",
                        "major",
                        "desc",
                        "nonsense");
        for (int i = 0; i < 60; i++) {
            String hash =
                    random.ints(1 + random.nextInt(4), 0, names.size())
                            .mapToObj(
                                    n -> names.get(n) + "=" + junk.get(random.nextInt(junk.size())))
                            .collect(Collectors.joining("&", "", "&i=" + i));
            String quoted = hash.replace("\\", "\\\\").replace("'", "\\'");
            page().redraw(() -> page().evaluate("location.hash = '" + quoted + "'"));
            assertThat(text("opcode")).as("%s seed %d", hash, SEED).isNotEmpty();
            assertThat(page().evaluate("document.querySelector('#matrix svg') !== null"))
                    .as("%s seed %d", hash, SEED)
                    .isEqualTo(true);
            assertThat(page().evaluate("document.querySelector('#message img') === null"))
                    .isEqualTo(true);
        }
        nothingWentWrong();
    }

    /// The page's own look-up answers as the model does.
    @Test
    void aHundredSeededQuestionsGetTheAnswersOfTheModel() {
        Random random = new Random(SEED);
        for (String opcode : List.of(DENSE, SPARSE)) {
            Form form = Form.of(opcode);
            for (OperandName operand : Drawable.of(form)) {
                open(state(opcode, "&v=" + operand));
                List<Holding> all = Holding.of(form, operand, Holding.Selection.FIRST);
                for (int i = 0; i < 12; i++) {
                    Holding h = all.get(random.nextInt(all.size()));
                    page().evaluate(
                                    ("(e => { e.value = '%d'; e.dispatchEvent(new Event('input'));"
                                                    + " })(document.getElementById('lane'))")
                                            .formatted(h.lane()));
                    assertThat(
                                    Objects.toString(
                                            page().evaluate(
                                                            "[...document.querySelectorAll('#fragment"
                                                                + " li')].map(l =>"
                                                                + " l.textContent).join('\\n"
                                                                + "')")))
                            .as("%s %s seed %d", opcode, operand, SEED)
                            .contains("bits " + h.bitHigh() + ".." + h.bitLow() + ": ")
                            .contains("[" + h.rowFirst() + "]");
                }
            }
        }
        nothingWentWrong();
    }
}
