package dev.heddle.vm.ir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.ir.RowFragments.Element;
import dev.heddle.vm.ir.RowFragments.Order;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashSet;
import java.util.Set;

@DisplayName("The rows of ldmatrix and stmatrix")
final class RowFragmentsTest {
    @ParameterizedTest
    @CsvSource({"B16, ROWS", "B16, PAIRS", "B8, ROWS", "B8, QUADS"})
    void haveAReaderEachThatGetsSomeOfTheirElements(Element element, Order order) {
        RowFragments fragments = new RowFragments(element, order);
        Set<Integer> readers = new HashSet<>();
        int[] found = fragments.readers();
        for (int row = 0; row < 32; row++) {
            int lane = found[row];
            readers.add(lane);
            // The figures of PTX ISA 9.7.14.5.15: four lanes share a row of .m8n8; of .trans a
            // lane gets two rows, of .m16n16 four.
            switch (order) {
                case ROWS -> assertThat(lane / 4).isEqualTo(row % 8);
                case PAIRS -> assertThat(lane % 4).isEqualTo(row % 8 / 2);
                case QUADS -> assertThat(lane % 4).isEqualTo(row % 16 / 4);
            }
            Set<Integer> rows = new HashSet<>();
            for (int register = 0; register < 4; register++) {
                for (int index = 0; index < element.perRegister(); index++) {
                    rows.add(fragments.row(register, lane, index));
                }
            }
            assertThat(rows).contains(row);
        }
        assertThat(readers).hasSize(32);
    }

    /// The figures of PTX ISA 9.7.14.5.16: four lanes have a row of .m8n8, two elements each; of
    /// .trans eight lanes have an element each, and the two of a word are four lanes apart.
    @Test
    void areStoredByTheLanesThatHaveTheirElements() {
        int[] rows = new RowFragments(Element.B16, Order.ROWS).writers(4);
        int[] columns = new RowFragments(Element.B16, Order.PAIRS).writers(4);
        for (int row = 0; row < 32; row++) {
            for (int word = 0; word < 4; word++) {
                assertThat(rows[4 * row + word]).isEqualTo(row % 8 * 4 + word);
                int first = 8 * word + row % 8 / 2;
                assertThat(columns[4 * row + word]).isEqualTo(row == first ? row : first + 4);
            }
        }
    }
}
