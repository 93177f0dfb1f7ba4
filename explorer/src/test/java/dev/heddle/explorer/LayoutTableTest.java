package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

@DisplayName("The tables from which the page draws")
final class LayoutTableTest {
    /// As the page puts a place together, in each table that differs from all others.
    @Test
    void everyTableGivesThePlacesOfTheModel() {
        Set<Object> seen = new HashSet<>();
        for (Form form : Forms.all()) {
            for (OperandName operand : Drawable.of(form)) {
                Map<String, Object> table = LayoutTable.of(form, operand);
                if (table.containsKey("lane") && seen.add(table)) {
                    agree(form, operand, table);
                }
            }
        }
        assertThat(seen).hasSizeGreaterThan(80);
    }

    private static void agree(Form form, OperandName operand, Map<String, Object> table) {
        for (LayoutEntry entry : LayoutEntry.of(form, operand, LayoutEntry.Selection.FIRST)) {
            int[] at = new int[3];
            add(at, entry.lane(), list(table, "lane"));
            add(at, entry.element(), list(table, "element"));
            assertThat(at[0]).as("%s %s %s", form, operand, entry).isEqualTo(entry.rowFirst());
            assertThat(at[2]).isEqualTo(entry.computation());
            assertThat(column(at[1], table))
                    .as("%s %s %s", form, operand, entry)
                    .isEqualTo(entry.columnFirst());
        }
    }

    private static int column(int at, Map<String, Object> table) {
        if (table.containsKey("width")) {
            return at * (Integer) Objects.requireNonNull(table.get("width"));
        }
        if (!table.containsKey("chunk")) {
            return at;
        }
        List<?> chunk = list(table, "chunk");
        return at / (Integer) chunk.get(0) * (Integer) chunk.get(1);
    }

    private static List<?> list(Map<String, Object> table, String name) {
        return (List<?>) Objects.requireNonNull(table.get(name));
    }

    private static void add(int[] at, int index, List<?> basis) {
        for (int bit = 0; bit < basis.size(); bit++) {
            if ((index >> bit & 1) == 1) {
                List<?> part = (List<?>) basis.get(bit);
                for (int axis = 0; axis < 3; axis++) {
                    at[axis] ^= (Integer) part.get(axis);
                }
            }
        }
    }

    /// PTX ISA 9.7.14.5.8: a7 of lane 5 is A[9][11]; 9.7.14.6.2.6: all lanes supply metadata.
    @Test
    void theEquationIsExplainedWithAnExample() {
        Form form = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        assertThat(String.valueOf(Reading.of(form, OperandName.A)))
                .contains("So element 7 of lane 5 (0b111, 0b101 in binary) stands in row 0b1001,")
                .contains("row 9, column 11.")
                .contains("warp-level-matrix-fragment-mma-16816-float");
        Form sparse = Form.of("mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32");
        assertThat(String.valueOf(Reading.of(sparse, OperandName.E)))
                .contains("With selector 0, all lanes of every four supply it");
    }

    @Test
    void everyOperandHasSentences() {
        for (Form form : Forms.all()) {
            if (form.family().warpgroup() && form.shape().n() != 8) {
                continue;
            }
            for (OperandName operand : Drawable.of(form)) {
                Map<String, Object> reading = Reading.of(form, operand);
                assertThat(String.valueOf(reading.get("what"))).endsWith(".");
                assertThat(list(reading, "reading")).isNotEmpty();
                assertThat(String.valueOf(reading.get("source"))).startsWith("PTX ISA 9.7.1");
            }
        }
    }
}
