package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.explorer.Api;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Role;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// The same question to `heddle where`, to the page in a browser and to its API. Each build asks a
/// sample; `-Dheddle.page.questions=1000` asks them all.
@DisplayName("heddle where, the page and its API")
@ExtendWith(PageResolver.class)
final class PageAgreementTest {
    private static final long SEED = 6_20261121L;
    private static final int QUESTIONS = Integer.getInteger("heddle.page.questions", 20);

    private final Api api = new Api();
    private final OpenPage page;

    PageAgreementTest(OpenPage page) {
        this.page = page;
    }

    /// A question: where an element stands, or what a lane holds.
    private record Question(
            Form form,
            OperandName operand,
            LayoutEntry.Selection selection,
            LayoutEntry one,
            boolean lane) {
        String element() {
            return one.rowFirst() + "," + one.columnLast();
        }

        Ran where(String... more) {
            List<String> words = new ArrayList<>(List.of("where", form.opcode(), operand.name()));
            words.addAll(
                    lane
                            ? List.of("--lane", String.valueOf(one.lane()))
                            : List.of("--element", element()));
            words.addAll(
                    List.of(
                            "--selector",
                            operand == OperandName.E
                                    ? String.valueOf(selection.selector())
                                    : selection.selector() + "," + selection.thread()));
            words.addAll(List.of(more));
            return Ran.heddle(words.toArray(String[]::new));
        }

        Map<String, String> query() {
            Map<String, String> query = new HashMap<>();
            query.put("opcode", form.opcode());
            query.put("operand", operand.name());
            query.put("selector", String.valueOf(selection.selector()));
            query.put("thread", String.valueOf(selection.thread()));
            if (lane) {
                query.put("lane", String.valueOf(one.lane()));
            } else {
                query.put("row", String.valueOf(one.rowFirst()));
                query.put("column", String.valueOf(one.columnLast()));
            }
            return query;
        }

        String link() {
            return OpenPage.state(
                    form.opcode(),
                    "&v="
                            + operand
                            + "&f="
                            + selection.selector()
                            + "&t="
                            + selection.thread()
                            + (lane ? "&lane=" + one.lane() : "&el=" + element()));
        }
    }

    @Test
    void giveTheSameAnswers() {
        page.open("");
        Random random = new Random(SEED);
        List<List<Form>> families = new ArrayList<>();
        for (Family family : Family.values()) {
            families.add(
                    Forms.of(family).stream()
                            .filter(form -> form.aSource() == ASource.REGISTERS)
                            .toList());
        }
        for (int i = 0; i < QUESTIONS; i++) {
            List<Form> family = families.get(random.nextInt(families.size()));
            Question question = question(family.get(random.nextInt(family.size())), random);
            String what = "%s %s seed %d".formatted(i, question, SEED);
            Ran said = question.where();
            assertThat(said.code()).as("%s: %s", what, said.err()).isZero();
            List<String> sentences =
                    said.out().lines().filter(line -> line.startsWith("lane ")).toList();
            assertThat(sentences).as(what).isNotEmpty();

            page.browser.follow(question.link());
            assertThat(
                            question.lane
                                    ? shown(
                                            "#fragment [data-operand=" + question.operand + "] li",
                                            "title")
                                    : shown("#where p", "textContent"))
                    .as(what)
                    .isEqualTo(sentences);
            assertThat(page.message()).as(what).isEmpty();
            assertThat(api.answer("where", question.query()).body())
                    .as(what)
                    .isEqualTo(question.where("--json").out().strip());
        }
        page.nothingWentWrong();
    }

    private List<String> shown(String selector, String text) {
        return page.browser
                .string(
                        "[...document.querySelectorAll('%s')].map(e => e.%s).join('\\n')"
                                .formatted(selector, text))
                .lines()
                .toList();
    }

    private static Question question(Form form, Random random) {
        List<OperandName> operands =
                new ArrayList<>(List.of(OperandName.A, OperandName.C, OperandName.D));
        if (!form.family().warpgroup()) {
            operands.add(OperandName.B);
        }
        if (form.sparse()) {
            operands.add(OperandName.E);
        }
        if (form.blockScaled()) {
            operands.addAll(List.of(OperandName.SFA, OperandName.SFB));
        }
        OperandName operand = operands.get(random.nextInt(operands.size()));
        LayoutEntry.Selection selection = selection(form, operand, random);
        List<LayoutEntry> all = LayoutEntry.of(form, operand, selection);
        return new Question(
                form,
                operand,
                selection,
                all.get(random.nextInt(all.size())),
                random.nextBoolean());
    }

    private static LayoutEntry.Selection selection(Form form, OperandName operand, Random random) {
        return switch (operand) {
            case A, B, C, D -> LayoutEntry.Selection.FIRST;
            case E ->
                    new LayoutEntry.Selection(
                            any(LayoutEntry.metadata(form).selectorValues(), random), 0);
            case SFA, SFB -> {
                var factors =
                        LayoutEntry.scaleFactors(
                                form, operand == OperandName.SFA ? Role.A : Role.B);
                yield new LayoutEntry.Selection(
                        any(factors.byteIds(), random), any(factors.threadIds(), random));
            }
        };
    }

    private static int any(List<Integer> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }
}
