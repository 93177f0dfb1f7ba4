package dev.heddle.programs.device;

/// Where a block of bytes begins, and how far its rows and planes are apart.
///
/// @param address of the first byte
/// @param pitch bytes from one row to the next
/// @param plane bytes from one plane to the next
public record Place(long address, long pitch, long plane) {

    /// Bytes one after the other.
    public static Place line(long address, long bytes) {
        return new Place(address, bytes, bytes);
    }

    /// Rows of one plane.
    public static Place rows(long address, long pitch) {
        return new Place(address, pitch, 0);
    }

    /// The address of a row.
    long row(long y, long z) {
        return address + y * pitch + z * plane;
    }

    /// Bytes from the beginning of a block that is here to its end.
    long span(Block block) {
        return (block.depth() - 1) * plane + (block.height() - 1) * pitch + block.width();
    }

    /// A block of bytes: rows, in planes.
    ///
    /// @param width bytes of a row
    /// @param height rows of a plane
    /// @param depth planes
    public record Block(long width, long height, long depth) {
        /// One row.
        public static Block line(long bytes) {
            return new Block(bytes, 1, 1);
        }

        /// How many.
        long bytes() {
            return width * height * depth;
        }

        /// Whether it is one row.
        boolean isLine() {
            return height == 1 && depth == 1;
        }

        /// Whether nothing is in it.
        public boolean isEmpty() {
            return width == 0 || height == 0 || depth == 0;
        }
    }
}
