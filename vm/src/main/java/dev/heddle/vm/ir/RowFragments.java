package dev.heddle.vm.ir;

import java.util.Arrays;
import java.util.function.Predicate;

/// How `ldmatrix` and `stmatrix` deal the elements of rows to the registers of lanes (PTX ISA
/// 9.7.14.5.15 and 9.7.14.5.16). Every register takes eight rows; lane l names row l.
///
/// The figures of `.m16n16` and `.m16n8` do not say which element of a pair of rows stands in which
/// byte. `ldmatrix.m16n16` is dealt as it was measured on an RTX 5090 and as Triton's lowering has
/// it; `stmatrix.m16n8` as Triton and CUTLASS have it, which is the accumulator of `mma.m16n8`.
///
/// @param element what a row consists of
/// @param order which lanes get them
public record RowFragments(Element element, Order order) {

    private static final int ROW_WORDS = 4;

    /// An element of a row.
    public enum Element {
        B16("b16", 16, 8, 0),
        B8("b8", 8, 16, 0),
        /// `.b8x16.b6x16_p32`: packed, in the low bits of a byte of the register.
        B6("b6x16_p32", 6, 16, 0),
        /// `.b8x16.b4x16_p64`: packed, in bits 5 to 2 of a byte of the register, where products
        /// expect them.
        B4("b4x16_p64", 4, 16, 2);

        private final String word;
        private final int bits;
        private final int count;
        private final int shift;

        Element(String word, int bits, int count, int shift) {
            this.word = word;
            this.bits = bits;
            this.count = count;
            this.shift = shift;
        }

        /// Bits of an element in memory.
        public int bits() {
            return bits;
        }

        /// How far left of its byte of the register it stands.
        public int shift() {
            return shift;
        }

        /// Bytes of a row without its padding.
        public int rowBytes() {
            return bits * count / 8;
        }

        /// Bits that an element has in a register.
        public int slotBits() {
            return this == B16 ? 16 : 8;
        }

        /// Elements of a register.
        public int perRegister() {
            return 32 / slotBits();
        }
    }

    /// Which lanes get the elements of a row.
    public enum Order {
        /// `.m8n8` and `.m8n16`: four lanes share a row.
        ROWS(""),
        /// `.trans` of `.m8n8`, and `stmatrix.m16n8`: a register holds two elements of a column,
        /// and two of the column eight further on if it has room.
        PAIRS(".trans"),
        /// `ldmatrix.m16n16.trans`: a register holds four elements of a column, the next one those
        /// of the column eight further on.
        QUADS(".trans");

        private final String word;

        Order(String word) {
            this.word = word;
        }
    }

    /// Those of an instruction.
    ///
    /// @param has whether it has a qualifier
    public static RowFragments of(Predicate<String> has) {
        Order order =
                !has.test("trans") ? Order.ROWS : has.test("m16n16") ? Order.QUADS : Order.PAIRS;
        for (Element element : Element.values()) {
            if (has.test(element.word)) {
                return new RowFragments(element, order);
            }
        }
        throw new IllegalStateException("no type of elements");
    }

    /// The row of an element.
    ///
    /// @param register its number
    /// @param index of the element in the register
    public int row(int register, int lane, int index) {
        return switch (order) {
            case ROWS -> 8 * register + lane / 4;
            case PAIRS -> 8 * register + lane % 4 * 2 + index % 2;
            case QUADS -> 16 * (register / 2) + lane % 4 * 4 + index;
        };
    }

    /// Which element of its row it is.
    ///
    /// @param register its number
    /// @param index of the element in the register
    public int column(int register, int lane, int index) {
        return switch (order) {
            case ROWS -> lane % 4 * element.perRegister() + index;
            case PAIRS -> lane / 4 + 8 * (index / 2);
            case QUADS -> lane / 4 + 8 * (register % 2);
        };
    }

    /// Whether each register has the bytes of its eight rows as they stand, lane after lane.
    public boolean isWhole() {
        return order == Order.ROWS && (element == Element.B16 || element == Element.B8);
    }

    /// Whether a register has two elements of 16 bits, of one column each.
    public boolean isOfPairs() {
        return order == Order.PAIRS && element == Element.B16;
    }

    /// For each of 32 rows, by the lane that names it, a lane that gets elements of it: another for
    /// each row.
    public int[] readers() {
        int[] readers = new int[32];
        int taken = 0;
        for (int row = 0; row < 32; row++) {
            int lane = 0;
            while ((taken >>> lane & 1) != 0 || !isRead(row, lane)) {
                lane++;
            }
            taken |= 1 << lane;
            readers[row] = lane;
        }
        return readers;
    }

    /// For each word of rows of 16 bytes, by the lane that names the row and then the word, a lane
    /// whose registers have elements of it: the one that names the row, where it has some.
    ///
    /// @param registers of each lane
    public int[] writers(int registers) {
        int[] writers = new int[32 * ROW_WORDS];
        Arrays.fill(writers, -1);
        for (int register = 0; register < registers; register++) {
            for (int lane = 0; lane < 32; lane++) {
                for (int index = 0; index < element.perRegister(); index++) {
                    int row = row(register, lane, index);
                    int word = column(register, lane, index) * element.bits() / Integer.SIZE;
                    int at = ROW_WORDS * row + word;
                    if (writers[at] != row) {
                        writers[at] = lane;
                    }
                }
            }
        }
        return writers;
    }

    private boolean isRead(int row, int lane) {
        return has(lane, (of, _) -> of == row);
    }

    /// Whether a lane has elements of a word of a row.
    public boolean hasSomeOf(int word, int row, int lane) {
        return has(
                lane, (of, column) -> of == row && column * element.bits() / Integer.SIZE == word);
    }

    private boolean has(int lane, Wanted wanted) {
        for (int register = 0; register < 4; register++) {
            for (int index = 0; index < element.perRegister(); index++) {
                if (wanted.is(row(register, lane, index), column(register, lane, index))) {
                    return true;
                }
            }
        }
        return false;
    }

    private interface Wanted {
        boolean is(int row, int column);
    }

    /// As listings show it: `matrix.trans.b8`; without a type for rows of 16-bit elements.
    public String words() {
        String type = element == Element.B16 ? "" : ".b" + element.bits;
        return "matrix" + order.word + type;
    }
}
