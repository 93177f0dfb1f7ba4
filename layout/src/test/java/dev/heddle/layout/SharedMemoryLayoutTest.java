package dev.heddle.layout;

import static dev.heddle.layout.Axis.COLUMN;
import static dev.heddle.layout.Axis.ROW;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.layout.StridedLayout.Digit;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

@DisplayName("PTX ISA 9.7.15.5.1.2.1.3: canonical layouts")
final class SharedMemoryLayoutTest {
    /// Figure 166: `((8,2),(4,4)):((4,32),(1,64))` in elements.
    @Test
    void kMajorTf32WithoutSwizzleStandsWhereTheFigureSays() {
        StridedLayout layout =
                new StridedLayout(
                        List.of(
                                new Digit(ROW, 8, 4),
                                new Digit(ROW, 0, 32),
                                new Digit(COLUMN, 4, 1),
                                new Digit(COLUMN, 0, 64)));
        assertThat(layout.offset(Point.of(ROW, 1, COLUMN, 0))).isEqualTo(4);
        assertThat(layout.offset(Point.of(ROW, 8, COLUMN, 0))).isEqualTo(32);
        assertThat(layout.offset(Point.of(ROW, 9, COLUMN, 5))).isEqualTo(4 + 32 + 64 + 1);
        assertThat(layout).hasToString("row (8:4, *:32), column (4:1, *:64)");
    }

    @Test
    void theSwizzleIsItsOwnInverse() {
        for (int bits = 0; bits <= 3; bits++) {
            Swizzle swizzle = new Swizzle(bits, 4, 3);
            for (int address = 0; address < 2048; address++) {
                assertThat(swizzle.apply(swizzle.apply(address))).isEqualTo(address);
            }
        }
        assertThat(new Swizzle(3, 4, 3).apply(128 + 32)).isEqualTo(128 + 48);
    }
}
