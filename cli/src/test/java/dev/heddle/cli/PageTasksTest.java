package dev.heddle.cli;

import static dev.heddle.cli.PageTest.DENSE;
import static dev.heddle.cli.PageTest.WGMMA;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

/// What somebody wants who comes to the page for the first time, in at most three interactions: a
/// field filled, a key, a press, a choice, or a move of the pointer.
@DisplayName("Twelve tasks of a newcomer")
@ExtendWith(PageResolver.class)
final class PageTasksTest {
    private static final int MOST = 3;
    private static final String ORDERED =
            "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";
    private static final String SOURCE =
            "asm(\"%s {%%0}, {%%1};\");\nasm(\"%s\");"
                    .formatted(DENSE, DENSE.replace("m16n8k16", "m16n8k8"));

    private final OpenPage page;
    private final Browser browser;

    PageTasksTest(OpenPage page) {
        this.page = page;
        this.browser = page.browser;
    }

    /// One interaction.
    enum By {
        TYPE,
        PRESS,
        CLICK,
        CHOOSE,
        PASTE,
        CELL,
        POINT
    }

    /// @param at   an id, a selector or a drawing's tile
    /// @param what a text, a key, a value, or `row,column`
    record Step(By by, String at, String what) {}

    /// @param state the address behind `#` where the task begins; empty for the start page
    /// @param goal  true when the answer is on the screen
    record Task(String name, String state, List<Step> steps, String goal) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static String says(String id, String text) {
        return "document.getElementById('%s').textContent.includes(%s)"
                .formatted(id, Browser.quoted(text));
    }

    private static List<Step> asked(String text) {
        return List.of(new Step(By.TYPE, "instruction", text), new Step(By.PRESS, "", "Enter"));
    }

    private static List<Step> element(String text) {
        return List.of(new Step(By.TYPE, "element", text), new Step(By.PRESS, "", "Enter"));
    }

    static List<Task> tasks() {
        String dense = OpenPage.state(DENSE, "&v=A");
        String memory = OpenPage.state(WGMMA, "&src=smem&role=A&mode=1");
        return List.of(
                new Task(
                        "find the opcode of a 16x8x16 product of f16",
                        OpenPage.state(ORDERED, ""),
                        asked("f16 16x8x16"),
                        says("opcode", "m16n8k16.row.col.f32.f16")),
                new Task(
                        "what is HMMA.1688.F32.TF32",
                        "",
                        asked("HMMA.1688.F32.TF32"),
                        says("opcode", "m16n8k8.row.col.f32.tf32")),
                new Task(
                        "which lane holds A[9][10]",
                        dense,
                        element("A[9][10]"),
                        says("where", "lane 5 register 3 bits 15..0")),
                new Task(
                        "what must lane 5 load",
                        dense,
                        List.of(new Step(By.CELL, "lanes", "1,1")),
                        says("fragment", "A[9][11]")),
                new Task(
                        "which lane has the metadata of A[3][8]",
                        OpenPage.state(ORDERED, "&v=A"),
                        element("E[3][8]"),
                        says("where", "lane 12 bits 11..8")),
                new Task(
                        "what is wrong with an instruction",
                        "",
                        asked(DENSE.replace("f32.f16.f16.f32", "f23.f16.f16.f32")),
                        "document.querySelector('#verdict mark')?.textContent === '.f23'"),
                new Task(
                        "list the matrix instructions of a source",
                        "",
                        List.of(new Step(By.PASTE, "instruction", SOURCE)),
                        "document.querySelectorAll('#listing a').length === 2"),
                new Task(
                        "load A without bank conflicts",
                        dense + "&load=A,128,0,0",
                        List.of(new Step(By.CLICK, "#loadChoices tr:nth-child(3) button", "")),
                        says("loadSaid", "No bank conflicts")),
                new Task(
                        "where does A[11][5] of wgmma stand in memory",
                        memory,
                        List.of(new Step(By.POINT, "memoryMatrix", "11,2")),
                        says("address", "address 0x5b8")),
                new Task(
                        "a descriptor for the 64-byte swizzle",
                        memory,
                        List.of(new Step(By.CHOOSE, "mode", "2")),
                        "document.getElementById('descriptor').value.startsWith('0x8')"),
                new Task(
                        "how is D[9][5] added up",
                        dense,
                        List.of(new Step(By.CELL, "D", "9,5"), new Step(By.CLICK, "#stepOn", "")),
                        says("stepSaid", "Term 1 of 17")),
                new Task(
                        "where do sm_80 and sm_90 differ",
                        OpenPage.state(DENSE, "&v=D&d=0,0&gen=sm_90"),
                        List.of(
                                new Step(By.CHOOSE, "generation2", "sm_80"),
                                new Step(By.CLICK, "#differ", "")),
                        "document.querySelectorAll('#compare mark').length > 0"));
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void isDoneInThreeInteractions(Task task) {
        page.open(task.state().isEmpty() ? "" : "#" + task.state());
        assertThat(task.steps()).hasSizeLessThanOrEqualTo(MOST);
        assertThat(browser.evaluate("Boolean(" + task.goal() + ")")).isEqualTo(false);
        task.steps().forEach(this::take);
        browser.await(task.goal());
        page.nothingWentWrong();
    }

    private void take(Step step) {
        switch (step.by()) {
            case TYPE -> {
                browser.evaluate("document.getElementById('" + step.at() + "').focus()");
                browser.type(step.what());
            }
            case PRESS -> browser.press(step.what());
            case CHOOSE -> page.enter(step.at(), step.what(), "change");
            case CLICK -> {
                String found = "document.querySelector('" + step.at() + "')";
                browser.await(found + "?.checkVisibility()");
                browser.evaluate(found + ".click()");
            }
            case PASTE ->
                    browser.evaluate(
                            """
                            (() => { const data = new DataTransfer(); data.setData('text', %s);
                              document.getElementById('%s').dispatchEvent(new ClipboardEvent('paste',
                                {clipboardData: data, cancelable: true, bubbles: true})); })()\
                            """
                                    .formatted(Browser.quoted(step.what()), step.at()));
            case CELL -> {
                double[] place = place("picture", step);
                browser.click(place[0], place[1]);
            }
            case POINT -> {
                double[] place = place(step.at(), step);
                browser.mouse("mouseMoved", place[0], place[1]);
            }
        }
    }

    private double[] place(String drawing, Step step) {
        String[] at = step.what().split(",", -1);
        return page.cell(drawing, step.at(), Integer.parseInt(at[0]), Integer.parseInt(at[1]));
    }
}
