package dev.heddle.isa;

import static dev.heddle.layout.Axis.COLUMN;
import static dev.heddle.layout.Axis.ROW;

import dev.heddle.layout.Point;
import dev.heddle.layout.StridedLayout;
import dev.heddle.layout.StridedLayout.Digit;

import java.util.List;

/// A matrix of wgmma in shared memory: where each of its elements is.
///
/// The row is the index along M (of A) or N (of B), the column that along K; of a sparse A the
/// stored column. The canonical layouts of PTX ISA 9.7.15.5.1.2.1.3 say how they are strided; the
/// swizzle then permutes 16-byte units within the pattern.
///
/// @param descriptor  the descriptor
/// @param major       which index runs along memory
/// @param elementBits width of an element
public record SharedMatrix(MatrixDescriptor descriptor, Major major, int elementBits) {
    /// Which index of a matrix runs along memory.
    public enum Major {
        /// K: `imm-trans` is 0.
        K,
        /// M of A, N of B: `imm-trans` is 1; f16 and bf16 only.
        MN
    }

    private static final int UNIT_BITS = 128;

    /// The layout before swizzling, in bits from the start address.
    public StridedLayout layout() {
        int t = UNIT_BITS / elementBits;
        int leading = descriptor.leadingByteOffset() * 8;
        int stride = descriptor.strideByteOffset() * 8;
        boolean plain = descriptor.mode() == SwizzleMode.NONE;
        int row = descriptor.mode().rowBytes() * 8;
        return new StridedLayout(
                switch (major) {
                    case K ->
                            List.of(
                                    new Digit(ROW, 8, row),
                                    new Digit(ROW, 0, stride),
                                    new Digit(COLUMN, t, elementBits),
                                    new Digit(COLUMN, 0, plain ? leading : UNIT_BITS));
                    case MN ->
                            List.of(
                                    new Digit(ROW, t, elementBits),
                                    new Digit(ROW, row / UNIT_BITS, UNIT_BITS),
                                    new Digit(ROW, 0, plain ? stride : leading),
                                    new Digit(COLUMN, 8, row),
                                    new Digit(COLUMN, 0, plain ? leading : stride));
                });
    }

    /// The shared-memory address, in bits, of an element.
    public long bitAddress(int row, int column) {
        int bits = layout().offset(Point.of(ROW, row, COLUMN, column));
        return address(bits / 8) * 8L + bits % 8;
    }

    /// The swizzled address of a byte that is `offset` bytes behind the start.
    private int address(int offset) {
        int address = descriptor.startAddress() + offset;
        int pattern = descriptor.baseOffset() << 7;
        return descriptor.mode().swizzle().apply(address - pattern) + pattern;
    }
}
