package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;

@DisplayName("What a terminal shows")
final class ScreenTest {
    private static final String FINDING =
            """
            gemm.ptx:41:29: invalid: operand b has 3 registers where two of them are enough
               41 |     mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1}, {%r0}, {%r1};
                  |                             ^^^^^^^^
            rule: operand-registers, PTX ISA 9.7.14.5.14
            """;

    private static String shown(String text, boolean colored, int columns) {
        StringWriter to = new StringWriter();
        try (PrintWriter screen = new PrintWriter(new Screen(to, colored, columns))) {
            screen.print(text);
        }
        return to.toString();
    }

    @Test
    void withoutColoursAndWidthNothingChanges() {
        assertThat(shown(FINDING, false, 0)).isEqualTo(FINDING);
    }

    @Test
    void whatAFileSaysMovesNoCursor() {
        String said = "\u001b[2J\u009b31mtensor\u0007 \u202ea\r\tb";
        assertThat(shown(said + "\r\n", false, 0)).isEqualTo("?[2J?31mtensor? ?a?\tb\n");
        assertThat(shown("heddle: " + said + "\n", true, 0))
                .isEqualTo("\u001b[1;31mheddle: \u001b[0m?[2J?31mtensor? ?a?\tb\n");
    }

    @Test
    void coloursChangeNoCharacter() {
        String colored = shown(FINDING, true, 0);
        assertThat(colored).contains("\u001b[1;31minvalid:\u001b[0m").contains("\u001b[1;31m^^^");
        assertThat(colored.replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo(FINDING);
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        for (int columns = 40; columns <= 120; columns++) {
            int width = columns;
            assertThat(shown(FINDING, false, columns).lines())
                    .as("%d columns", columns)
                    .allMatch(line -> line.length() <= width);
        }
    }

    @Test
    void theCaretStaysBelowWhatItMeans() {
        String[] lines = shown(FINDING, false, 48).lines().toArray(String[]::new);
        int excerpt = 0;
        while (!lines[excerpt].contains("41 | ")) {
            excerpt++;
        }
        int caret = lines[excerpt + 1].indexOf('^');
        String whole = FINDING.lines().skip(1).findFirst().orElseThrow();
        String marked =
                whole.substring(FINDING.lines().skip(2).findFirst().orElseThrow().indexOf('^'));
        assertThat(lines[excerpt].substring(caret)).isNotEmpty();
        assertThat(marked).startsWith(lines[excerpt].substring(caret));
    }

    @Test
    void tablesAndUnfinishedLinesPass() {
        String table = "5\t3\t15\t0\t9\t10\t10 " + "x".repeat(100) + "\nunfinished";
        assertThat(shown(table, true, 40)).isEqualTo(table);
    }

    @Test
    void aSourceLineWithoutCaretIsCutShort() {
        String text = "   33 | " + "y".repeat(60) + "\nsource: a.cu:5\n";
        assertThat(shown(text, false, 40))
                .startsWith("   33 | yyy")
                .contains("...\nsource: a.cu:5\n");
    }
}
