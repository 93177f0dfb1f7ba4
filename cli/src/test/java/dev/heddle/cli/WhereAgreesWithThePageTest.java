package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.explorer.Api;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

@DisplayName("heddle where and the page's server")
final class WhereAgreesWithThePageTest {
    private static final long SEED = 1_20261121L;
    private final Api api = new Api();

    @Test
    void giveTheSameAnswerToAThousandSeededQuestions() {
        List<Form> forms =
                Forms.all().stream()
                        .filter(form -> form.aSource() == ASource.REGISTERS)
                        .filter(form -> form.shape().n() <= 32)
                        .toList();
        Random random = new Random(SEED);
        for (int i = 0; i < 1000; i++) {
            Form form = forms.get(random.nextInt(forms.size()));
            OperandName operand = operand(form, random);
            List<LayoutEntry> all = LayoutEntry.of(form, operand, LayoutEntry.Selection.FIRST);
            LayoutEntry one = all.get(random.nextInt(all.size()));
            boolean byLane = random.nextBoolean();
            String row = String.valueOf(one.rowFirst());
            String column = String.valueOf(one.columnFirst());
            String lane = String.valueOf(one.lane());
            Map<String, String> question = new HashMap<>();
            question.put("opcode", form.opcode());
            question.put("operand", operand.name());
            if (byLane) {
                question.put("lane", lane);
            } else {
                question.put("row", row);
                question.put("column", column);
            }
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            int code =
                    Main.run(
                            new PrintWriter(out, true),
                            new PrintWriter(err, true),
                            "where",
                            form.opcode(),
                            operand.name(),
                            byLane ? "--lane" : "--element",
                            byLane ? lane : row + "," + column,
                            "--json");
            assertThat(code).as("%s seed %d: %s", question, SEED, err).isZero();
            assertThat(api.answer("where", question).body())
                    .as("%s seed %d", question, SEED)
                    .isEqualTo(out.toString().strip());
        }
    }

    private static OperandName operand(Form form, Random random) {
        List<OperandName> operands = new ArrayList<>(List.of(OperandName.A, OperandName.D));
        if (!form.family().warpgroup()) {
            operands.add(OperandName.B);
        }
        if (form.sparse()) {
            operands.add(OperandName.E);
        }
        if (form.blockScaled()) {
            operands.addAll(List.of(OperandName.SFA, OperandName.SFB));
        }
        return operands.get(random.nextInt(operands.size()));
    }
}
