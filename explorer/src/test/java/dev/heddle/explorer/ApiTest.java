package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.jr.ob.JSON;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

@DisplayName("The questions of the page")
final class ApiTest {
    private static final long SEED = 6_20261121L;
    private final Api api = new Api();

    private static Map<String, String> question(Form form, OperandName operand) {
        Map<String, String> question = new HashMap<>();
        question.put("opcode", form.opcode());
        question.put("source", form.aSource().word());
        question.put("operand", operand.name());
        return question;
    }

    @Test
    void aThousandSeededQuestionsGetTheAnswersOfTheModel() {
        List<Form> forms = Forms.all();
        Random random = new Random(SEED);
        for (int i = 0; i < 1000; i++) {
            Form form = forms.get(random.nextInt(forms.size()));
            if (form.family().warpgroup() && form.shape().n() > 64) {
                continue;
            }
            List<OperandName> operands = Drawable.of(form);
            OperandName operand = operands.get(random.nextInt(operands.size()));
            List<LayoutEntry> all = LayoutEntry.of(form, operand, LayoutEntry.Selection.FIRST);
            LayoutEntry one = all.get(random.nextInt(all.size()));
            Map<String, String> question = question(form, operand);
            question.put("row", String.valueOf(one.rowFirst()));
            question.put("column", String.valueOf(one.columnLast()));
            Answer answer = api.answer("where", question);
            assertThat(answer.status()).as("%s seed %d: %s", question, SEED, answer).isEqualTo(200);
            List<Object> found = JSON.std.listFrom(answer.body());
            assertThat(found)
                    .as("%s seed %d", question, SEED)
                    .hasSize(
                            (int)
                                    all.stream()
                                            .filter(h -> h.covers(one.rowFirst(), one.columnLast()))
                                            .count())
                    .anyMatch(object -> isOf(object, one));
            if (i % 20 == 0) {
                pageDataAgree(question, all);
            }
        }
    }

    private static boolean isOf(Object object, LayoutEntry holding) {
        return object instanceof Map<?, ?> map
                && Objects.equals(map.get("lane"), holding.lane())
                && Objects.equals(map.get("bit_high"), holding.bitHigh())
                && Objects.equals(map.get("bit_low"), holding.bitLow());
    }

    /// What the page is sent for an operand are the model's holdings, line by line.
    private void pageDataAgree(Map<String, String> question, List<LayoutEntry> all) {
        Map<String, Object> document = JSON.std.mapFrom(api.answer("operand", question).body());
        List<?> lines = (List<?>) Objects.requireNonNull(document.get("holdings"));
        assertThat(lines).as("%s seed %d", question, SEED).hasSameSizeAs(all);
        for (int i = 0; i < all.size(); i++) {
            LayoutEntry h = all.get(i);
            assertThat(((List<?>) lines.get(i)).subList(0, 10).toArray())
                    .isEqualTo(
                            new Object[] {
                                h.lane(),
                                h.register(),
                                h.bitHigh(),
                                h.bitLow(),
                                h.element(),
                                h.rowFirst(),
                                h.rowLast(),
                                h.columnFirst(),
                                h.columnLast(),
                                h.computation()
                            });
        }
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.5.8: where element (9, 10) of A of m16n8k16 .f16 stands")
    void anElementOfAStandsWhereTheManualSays() {
        Form form = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        Map<String, String> question = question(form, OperandName.A);
        question.put("row", "9");
        question.put("column", "10");

        assertThat(api.answer("where", question).body())
                .isEqualTo(
                        "[{\"lane\":5,\"register\":3,\"element\":6,\"bit_high\":15,\"bit_low\":0,"
                                + "\"row\":9,\"column_first\":10,\"column_last\":10,"
                                + "\"computation\":0}]");
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.3: one scale factor for 16 neighbours, (1 * 3 + 2 * 4) * 2 * 0.5")
    void aBlockIsSteppedThroughWithItsFactorsAndScales() {
        Map<String, String> question =
                Map.of(
                        "opcode",
                        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X"
                                + ".f32.e2m1.e2m1.f32.ue4m3",
                        "generation",
                        "sm_120",
                        "a",
                        "1 2",
                        "b",
                        "3 4",
                        "sfa",
                        "2 1 1 1",
                        "sfb",
                        "0.5 1 1 1");
        Map<String, Object> document =
                JSON.std.mapFrom(new Api().answer("execution", question).body());
        List<?> first =
                (List<?>) ((List<?>) Objects.requireNonNull(document.get("steps"))).getFirst();

        assertThat(first.subList(1, 5))
                .isEqualTo(
                        List.of(
                                "k 0..15",
                                "1 2" + " 0".repeat(14) + " x 2",
                                "3 4" + " 0".repeat(14) + " x 0.5",
                                "11"));
    }

    @Test
    void tenThousandMalformedQuestionsGetAMessage() {
        Random random = new Random(SEED);
        List<String> names =
                List.of(
                        "form",
                        "operand",
                        "figure",
                        "where",
                        "instruction",
                        "shared",
                        "execution",
                        "find",
                        "x",
                        "");
        String good = "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
        List<String> keys =
                List.of(
                        "opcode",
                        "source",
                        "operand",
                        "selector",
                        "thread",
                        "row",
                        "column",
                        "lane",
                        "register",
                        "text",
                        "target",
                        "version",
                        "role",
                        "mode",
                        "major",
                        "descriptor",
                        "generation",
                        "a",
                        "b",
                        "c",
                        "e",
                        "sfa",
                        "sfb");
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            Map<String, String> question = new HashMap<>();
            if (random.nextBoolean()) {
                question.put("opcode", good);
                question.put("operand", "A");
                question.put("text", good);
                question.put("generation", "sm_90");
            }
            for (int k = random.nextInt(5); k >= 0; k--) {
                question.put(keys.get(random.nextInt(keys.size())), junk(random, good));
            }
            Answer answer = api.answer(names.get(random.nextInt(names.size())), question);
            assertThat(answer.status()).as("%s seed %d", question, SEED).isIn(200, 404);
            if (answer.status() != 200 || answer.type().startsWith("application/problem+json")) {
                refused++;
                assertThat(String.valueOf(JSON.std.mapFrom(answer.body()).get("message")))
                        .as("%s seed %d", question, SEED)
                        .isNotBlank()
                        .doesNotContain("Exception")
                        .isNotEqualTo("null");
            }
        }
        assertThat(refused).isGreaterThan(5000);
    }

    private static String junk(Random random, String good) {
        return switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> String.valueOf(random.nextLong());
            case 2 -> good.substring(random.nextInt(good.length()));
            case 3 -> good.replace(good.charAt(random.nextInt(good.length())), '\u0000');
            case 4 -> "<script>alert(1)</script>";
            case 5 -> "x".repeat(random.nextInt(300));
            case 6 -> "{%r0, {" + (char) random.nextInt(0xD800) + "}; " + good;
            default -> good + " {" + "%r,".repeat(random.nextInt(5)) + random.nextInt() + "}";
        };
    }
}
