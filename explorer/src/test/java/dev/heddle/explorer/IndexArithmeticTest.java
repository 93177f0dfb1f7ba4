package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.explorer.code.IndexArithmetic;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

@DisplayName("The index arithmetic in C, compiled and run")
final class IndexArithmeticTest {
    @Test
    void saysOfEveryElementWhereItStands(@TempDir Path folder)
            throws IOException, InterruptedException {
        CProgram.assumeCompiler();
        Set<String> seen = new HashSet<>();
        StringBuilder main = new StringBuilder("int main(void) {\n");
        List<String> units = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (Form form : Forms.all()) {
            for (OperandName operand : Drawable.of(form)) {
                if (operand.role().isEmpty()
                        || form.family().warpgroup() && form.shape().n() > 24) {
                    continue;
                }
                String text = IndexArithmetic.of(form, operand);
                if (!seen.add(text.replaceAll("(?m)^// .*?; PTX.*$", ""))) {
                    continue;
                }
                int unit = units.size();
                String letter = operand.role().orElseThrow().letter();
                units.add(text.replace(" " + letter + "_", " u" + unit + "_"));
                String name = "u" + unit + "_";
                int lanes = form.fragment(operand.role().orElseThrow()).lanes();
                int elements = form.fragment(operand.role().orElseThrow()).elements();
                main.append(
                        ("for (int l = 0; l < %d; l++) for (int i = 0; i < %d; i++)"
                                        + " printf(\"%%d %%d %%d %%d\\n\", %srow(l, i),"
                                        + " %scolumn(l, i), %sregister(i), %sbit(i));\n")
                                .formatted(lanes, elements, name, name, name, name));
                for (LayoutEntry h : LayoutEntry.of(form, operand, LayoutEntry.Selection.FIRST)) {
                    int column =
                            form.fragment(operand.role().orElseThrow())
                                    .position(h.lane(), h.element())
                                    .column();
                    expected.add(
                            "%d %d %d %d"
                                    .formatted(h.rowFirst(), column, h.register(), h.bitLow()));
                }
            }
        }
        String text = "#include <stdio.h>\n" + String.join("\n", units) + main + "return 0;\n}\n";
        assertThat(CProgram.lines(folder, text)).isEqualTo(expected);
        assertThat(units).hasSizeGreaterThan(40);
    }

    @Test
    void saysOfEveryNibbleAndScaleFactorWhatItDescribes(@TempDir Path folder)
            throws IOException, InterruptedException {
        CProgram.assumeCompiler();
        Set<String> seen = new HashSet<>();
        StringBuilder program = new StringBuilder("#include <stdio.h>\n");
        StringBuilder main = new StringBuilder("int main(void) {\n");
        List<String> expected = new ArrayList<>();
        for (Form form : Forms.all()) {
            for (OperandName operand : Drawable.of(form)) {
                String text = IndexArithmetic.of(form, operand);
                if (operand.role().isPresent() || !seen.add(text.replaceAll("(?m)^//.*$", ""))) {
                    continue;
                }
                String unit = "u" + seen.size() + "_";
                program.append(
                        text.replace(
                                " " + operand.name().toLowerCase(Locale.ROOT) + "_", " " + unit));
                if (operand == OperandName.E) {
                    for (int selector : LayoutEntry.metadata(form).selectorValues()) {
                        for (LayoutEntry h :
                                LayoutEntry.of(
                                        form, operand, new LayoutEntry.Selection(selector, 0))) {
                            main.append(
                                    "printf(\"%%d %%d %%d\\n\", %srow(%d, %d), %schunk(%d, %d), %sselector(%d));\n"
                                            .formatted(
                                                    unit,
                                                    h.lane(),
                                                    h.element(),
                                                    unit,
                                                    h.lane(),
                                                    h.element(),
                                                    unit,
                                                    h.lane()));
                            int width = h.columnLast() - h.columnFirst() + 1;
                            expected.add(
                                    "%d %d %d"
                                            .formatted(
                                                    h.rowFirst(),
                                                    h.columnFirst() / width,
                                                    selector));
                        }
                    }
                } else {
                    for (LayoutEntry h :
                            LayoutEntry.of(form, operand, LayoutEntry.Selection.FIRST)) {
                        main.append(
                                "printf(\"%%d %%d\\n\", %srow(%d), %sthread(%d));\n"
                                        .formatted(unit, h.lane(), unit, h.lane()));
                        expected.add(
                                (operand == OperandName.SFA ? h.rowFirst() : h.columnFirst())
                                        + " 0");
                    }
                }
            }
        }
        assertThat(CProgram.lines(folder, program.toString() + main + "return 0;\n}\n"))
                .isEqualTo(expected);
        assertThat(seen).hasSizeGreaterThan(10);
    }
}
