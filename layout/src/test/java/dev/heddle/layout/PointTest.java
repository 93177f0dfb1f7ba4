package dev.heddle.layout;

import static dev.heddle.layout.Axis.COLUMN;
import static dev.heddle.layout.Axis.ELEMENT;
import static dev.heddle.layout.Axis.LANE;
import static dev.heddle.layout.Axis.ROW;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

final class PointTest {
    @Test
    void namesTheCoordinatesThatAreNotZero() {
        assertThat(Point.ORIGIN).hasToString("origin");
        assertThat(Point.of(LANE, 5)).hasToString("lane 5");
        assertThat(Point.of(ROW, 2, COLUMN, 7)).hasToString("row 2, column 7");
    }

    @Test
    void hasTheCoordinatesItWasMadeOf() {
        Point point = Point.of(LANE, 5, ELEMENT, 3);
        assertThat(point.get(LANE)).isEqualTo(5);
        assertThat(point.get(ELEMENT)).isEqualTo(3);
        assertThat(point.get(ROW)).isZero();
        assertThat(point).isEqualTo(Point.of(LANE, 5).with(ELEMENT, 3));
    }

    @Test
    void differsWhereACoordinateDoes() {
        assertThat(Point.of(LANE, 5)).isNotEqualTo(Point.of(LANE, 6)).isNotEqualTo("lane 5");
        assertThat(Point.of(LANE, 5)).isNotEqualTo(Point.of(ROW, 5));
    }

    @Test
    void spreadsInHashTables() {
        Set<Integer> hashes = new HashSet<>();
        for (int lane = 0; lane < 32; lane++) {
            assertThat(Point.of(LANE, lane)).hasSameHashCodeAs(Point.of(LANE, lane));
            hashes.add(Point.of(LANE, lane).hashCode());
        }
        assertThat(hashes).hasSize(32);
    }
}
