package dev.heddle.cuda;

import org.jspecify.annotations.Nullable;

/// The operands of one `wgmma` in shared memory: their rows as bytes, and how each is laid out.
///
/// @param a rows of A; null for A in registers
/// @param b columns of B
public record SharedMatrices(@Nullable Placed a, Placed b) {
    private static final int START_ALIGNMENT = 1024;

    /// A matrix and its layout.
    ///
    /// @param layout how it is in shared memory
    /// @param content rows, little-endian elements, K innermost
    /// @param rows rows of A or columns of B
    @SuppressWarnings("ArrayRecordComponent") // carries words and bytes, is never compared
    public record Placed(SharedLayout layout, byte[] content, int rows) {
        /// Bytes of a row.
        public int rowBytes() {
            return content.length / rows;
        }

        /// The leading-dimension byte offset of its descriptor.
        public int leadingOffset() {
            return layout.leadingOffset(rows);
        }

        /// The stride-dimension byte offset of its descriptor.
        public int strideOffset() {
            return layout.strideOffset(rowBytes());
        }

        int size() {
            return layout.size(rows, rowBytes());
        }

        long descriptor(int start) {
            return layout.descriptor(start, rows, rowBytes());
        }

        void copyTo(byte[] image, int start) {
            for (int r = 0; r < rows; r++) {
                for (int i = 0; i < rowBytes(); i++) {
                    image[start + layout.offset(r, i, rows, rowBytes())] =
                            content[r * rowBytes() + i];
                }
            }
        }
    }

    /// The image: A first, B at the next multiple of 1024.
    ///
    /// @param scaleD whether the instruction adds to D
    public CaseInput.Shared image(boolean scaleD) {
        int startB = 0;
        long descriptorA = 0;
        if (a != null) {
            startB = (a.size() + START_ALIGNMENT - 1) / START_ALIGNMENT * START_ALIGNMENT;
            descriptorA = a.descriptor(0);
        }
        byte[] image = new byte[startB + b.size()];
        if (a != null) {
            a.copyTo(image, 0);
        }
        b.copyTo(image, startB);
        long[] codes = new long[image.length];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = Byte.toUnsignedLong(image[i]);
        }
        return new CaseInput.Shared(
                scaleD, descriptorA, b.descriptor(startB), PackedCodes.words(codes, Byte.SIZE));
    }
}
