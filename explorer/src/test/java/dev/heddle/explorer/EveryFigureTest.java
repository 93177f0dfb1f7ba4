package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.explorer.DrawnFigure.Spot;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

@DisplayName("Every distinct figure")
final class EveryFigureTest {
    private static final Pattern LABEL = Pattern.compile("T(\\d+):? [abcd](\\d+).*");
    private static final long SEED = 20261121;

    @Test
    void isWellFormedAndOfBoundedSizeAndLabelledAsTheModelSays() {
        List<EveryFigure> questions = EveryFigure.distinct();
        Random random = new Random(SEED);
        for (EveryFigure question : questions) {
            String svg = question.figure().svg();
            DrawnFigure drawn = DrawnFigure.of(svg);
            assertThat(svg.length()).as("%s", question).isLessThan(2_500_000);
            assertThat(drawn.labels).as("%s", question).isNotEmpty();
            assertThat(svg).doesNotContain("<script").doesNotContain("href");
            assertThat(drawn.width()).as("%s", question).isLessThan(25_000);
            assertThat(drawn.height()).as("%s", question).isLessThan(4_500);
            if (question.operand().compareTo(OperandName.D) <= 0) {
                sample(question, drawn, random);
            }
        }
        assertThat(questions).hasSizeGreaterThan(100);
    }

    /// Each drawn label names the lane and the element that the model puts there.
    private static void sample(EveryFigure question, DrawnFigure drawn, Random random) {
        Fragment fragment = question.form().fragment(Role.valueOf(question.operand().name()));
        List<Spot> spots =
                drawn.labels.keySet().stream()
                        .sorted(java.util.Comparator.comparing(Spot::toString))
                        .toList();
        int register = fragment.elementsPerRegister();
        for (int i = 0; i < 50; i++) {
            Spot spot = spots.get(random.nextInt(spots.size()));
            Matcher label = LABEL.matcher(drawn.labels.get(spot));
            assertThat(label.matches()).as("%s %s seed %d", question, spot, SEED).isTrue();
            Position at =
                    fragment.position(
                            Integer.parseInt(label.group(1)), Integer.parseInt(label.group(2)));
            assertThat(at.computation()).isEqualTo(spot.panel());
            assertThat(spot.row() - at.row())
                    .as("%s %s seed %d", question, spot, SEED)
                    .isBetween(0, register / 2);
            assertThat(spot.column() - at.column())
                    .as("%s %s seed %d", question, spot, SEED)
                    .isBetween(0, register / 2);
        }
    }

    @Test
    void isTheSameBytesEachTime() {
        EveryFigure question =
                new EveryFigure(Forms.all().getFirst(), OperandName.A, LayoutEntry.Selection.FIRST);

        assertThat(question.figure().svg()).isEqualTo(question.figure().svg());
    }
}
