package dev.heddle.sparse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.Format;
import dev.heddle.formats.Packing;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.stream.Stream;

@DisplayName("Elements and nibbles stand where the layout of their format says")
final class PlaneTest {
    private static final int NIBBLE = 4;

    private static final byte[] SAME = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    @TestFactory
    Stream<DynamicTest> everyFormat() {
        return StorageFormats.all().stream()
                .filter(format -> !format.dense())
                .flatMap(
                        format ->
                                format.formats().stream()
                                        .map(
                                                element ->
                                                        DynamicTest.dynamicTest(
                                                                format + " " + element,
                                                                () -> check(format, element))));
    }

    private static void check(StorageFormat format, Format element) {
        Arrangement arrangement = format.arrangement(element);
        elements(arrangement.values(), Packing.dense(element).containerBits());
        nibbles(arrangement.metadata());
        arrangement.copy().ifPresent(PlaneTest::nibbles);
    }

    /// Three tiles down, three or more to the right.
    private static void elements(TiledLayout layout, int bits) {
        int rows = 3 * layout.tileRows();
        int columns = 3 * Math.max(layout.padding(), 16);
        int rowBytes = columns * bits / Byte.SIZE;
        byte[] source = new byte[rows * rowBytes];
        new Random(columns).nextBytes(source);
        byte[] memory = new byte[(int) Plane.bytes(layout, rows, columns, bits)];
        Plane plane = Plane.of(layout, rows, columns, bits, MemorySegment.ofArray(memory));
        plane.write(0, rows, source, rowBytes);

        byte[] expected = new byte[memory.length];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                long from = (long) row * rowBytes * Byte.SIZE + (long) column * bits;
                copy(source, from, expected, place(layout, rows, columns, row, column, bits), bits);
            }
        }
        assertThat(memory).isEqualTo(expected);

        byte[] back = new byte[source.length];
        plane.read(0, rows, back, rowBytes);
        assertThat(back).isEqualTo(source);
    }

    /// Of rows without tiles 12 nibbles, which eight do not divide.
    private static void nibbles(TiledLayout layout) {
        int rows = 3 * layout.tileRows();
        int columns = 3 * Math.max(layout.padding(), 4);
        byte[] source = new byte[rows * columns];
        new Random(columns).nextBytes(source);
        for (int i = 0; i < source.length; i++) {
            source[i] &= 0xf;
        }
        byte[] memory = new byte[(int) Plane.bytes(layout, rows, columns, NIBBLE)];
        Plane plane = Plane.of(layout, rows, columns, NIBBLE, MemorySegment.ofArray(memory));
        plane.writeNibbles(0, rows, source, columns, SAME);

        byte[] expected = new byte[memory.length];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                long from = (long) (row * columns + column) * Byte.SIZE;
                copy(
                        source,
                        from,
                        expected,
                        place(layout, rows, columns, row, column, NIBBLE),
                        NIBBLE);
            }
        }
        assertThat(memory).isEqualTo(expected);

        byte[] back = new byte[source.length];
        plane.readNibbles(0, rows, back, columns, SAME);
        assertThat(back).isEqualTo(source);
    }

    /// The bit in memory at which an entry begins.
    private static long place(
            TiledLayout layout, int rows, int columns, int row, int column, int bits) {
        long bit = layout.offset(rows, columns, row, column) * bits;
        int address = layout.swizzle().apply(Math.toIntExact(bit / Byte.SIZE));
        return (long) address * Byte.SIZE + bit % Byte.SIZE;
    }

    private static void copy(byte[] source, long from, byte[] target, long to, int bits) {
        for (int i = 0; i < bits; i++) {
            int bit = source[(int) (from + i >> 3)] >> (from + i & 7) & 1;
            target[(int) (to + i >> 3)] |= (byte) (bit << (to + i & 7));
        }
    }
}
