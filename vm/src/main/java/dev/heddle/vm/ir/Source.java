package dev.heddle.vm.ir;

/// Where a step reads a value from.
public sealed interface Source permits Register, Source.Constant, Source.FrameAddress {

    /// The width of the value.
    Width width();

    /// The same bits in every lane.
    ///
    /// @param width of the value
    /// @param bits zero-extended; 0 or 1 for a predicate
    record Constant(Width width, long bits) implements Source {}

    /// The address, in local space, of a byte of the running frame.
    ///
    /// @param offset from the frame's first byte
    record FrameAddress(long offset) implements Source {
        @Override
        public Width width() {
            return Width.LONG;
        }
    }

    /// A 32-bit constant.
    static Constant word(int bits) {
        return new Constant(Width.WORD, bits & 0xffff_ffffL);
    }

    /// A 64-bit constant.
    static Constant longword(long bits) {
        return new Constant(Width.LONG, bits);
    }

    /// A predicate constant.
    static Constant predicate(boolean value) {
        return new Constant(Width.PREDICATE, value ? 1 : 0);
    }
}
