package dev.heddle.layout;

import static dev.heddle.layout.Axis.COLUMN;
import static dev.heddle.layout.Axis.ELEMENT;
import static dev.heddle.layout.Axis.LANE;
import static dev.heddle.layout.Axis.ROW;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

final class BitLayoutTest {
    private static final BitLayout A =
            BitLayout.EMPTY
                    .deal(2, ELEMENT, COLUMN)
                    .deal(4, LANE, COLUMN)
                    .deal(8, LANE, ROW)
                    .deal(2, ELEMENT, ROW)
                    .deal(2, ELEMENT, COLUMN);

    @Test
    void printsTheBitsOfEachOutputHighestFirst() {
        assertThat(A)
                .hasToString(
                        "row = element1 lane4 lane3 lane2; column = element2 lane1 lane0 element0");
    }

    @Test
    void readsBackWhatItPrints() {
        BitLayout parsed = BitLayout.parse(A.toString());
        A.forEachInput(point -> assertThat(parsed.apply(point)).isEqualTo(A.apply(point)));
        assertThat(parsed.extent(ELEMENT)).isEqualTo(8);
    }

    @Test
    void refusesATermThatIsNoAxis() {
        assertThatThrownBy(() -> BitLayout.parse("row = quad4")).hasMessage("\"quad\" is no axis");
        assertThatThrownBy(() -> BitLayout.parse("row = lane"))
                .hasMessageContaining("expected an axis with a bit number");
    }

    @Test
    void namesItsWiresInTheOrderTheyWereDealt() {
        BitLayout two = BitLayout.EMPTY.deal(2, ELEMENT, COLUMN).deal(2, LANE, ROW);
        assertThat(two.wires())
                .containsExactly(
                        new BitLayout.Wire(ELEMENT, 0, COLUMN, 0),
                        new BitLayout.Wire(LANE, 0, ROW, 0));
        assertThat(two.inverse().wires())
                .containsExactly(
                        new BitLayout.Wire(COLUMN, 0, ELEMENT, 0),
                        new BitLayout.Wire(ROW, 0, LANE, 0));
    }

    @Test
    void aDealOfOneValueChangesNothing() {
        assertThat(A.deal(1, LANE, ROW)).isSameAs(A);
    }

    @Test
    void isEqualHoweverItWasDealt() {
        BitLayout one = BitLayout.EMPTY.deal(2, ELEMENT, COLUMN).deal(2, LANE, ROW);
        BitLayout other = BitLayout.EMPTY.deal(2, LANE, ROW).deal(2, ELEMENT, COLUMN);
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one.hashCode()).isNotEqualTo(A.hashCode());
    }

    @Test
    void theInverseLeadsBack() {
        A.forEachInput(point -> assertThat(A.inverse().apply(A.apply(point))).isEqualTo(point));
    }

    @Test
    void aCutFieldKeepsTheLayoutABijection() {
        BitLayout d =
                BitLayout.EMPTY
                        .deal(2, ELEMENT, COLUMN)
                        .deal(4, LANE, COLUMN)
                        .deal(8, LANE, ROW)
                        .deal(3, ELEMENT, COLUMN);
        Set<Point> seen = new HashSet<>();
        d.forEachInput(point -> seen.add(d.apply(point)));
        assertThat(seen)
                .hasSize(8 * 24)
                .allMatch(point -> point.get(COLUMN) < 24 && point.get(ROW) < 8);
        assertThat(d.extent(ELEMENT)).isEqualTo(6);
        assertThatThrownBy(() -> d.deal(2, ELEMENT, ROW)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void swappedExchangesTwoAxes() {
        assertThat(A.swapped(ROW, COLUMN))
                .hasToString(
                        "row = element2 lane1 lane0 element0; column = element1 lane4 lane3 lane2");
    }

    @Test
    void layoutsThatMapAlikeAreEqual() {
        BitLayout written = BitLayout.parse(A.toString());
        assertThat(written).isEqualTo(A).hasSameHashCodeAs(A);
        assertThat(BitLayout.EMPTY.deal(2, LANE, ROW).deal(2, ELEMENT, COLUMN))
                .as("in another order")
                .isEqualTo(BitLayout.EMPTY.deal(2, ELEMENT, COLUMN).deal(2, LANE, ROW));

        assertThat(A.swapped(ROW, COLUMN)).as("other wires").isNotEqualTo(A);
        assertThat(BitLayout.EMPTY.deal(3, LANE, ROW))
                .as("the same wires, another extent")
                .isNotEqualTo(BitLayout.EMPTY.deal(4, LANE, ROW));
        assertThat(A).isNotEqualTo(A.toString());
    }
}
