package dev.heddle.vm.sanitizer;

/// The bytes of global memory that an asynchronous operation of a lane reads or writes: rows of as
/// many bytes, at equal distances.
///
/// @param first the offset of the first byte
/// @param bytes of a row
/// @param pitch from the beginning of one row to that of the next
/// @param count of rows
public record MovedRows(long first, int bytes, long pitch, int count) {
    /// Consecutive bytes.
    public static MovedRows one(long first, int bytes) {
        return new MovedRows(first, bytes, bytes, 1);
    }

    /// Where a row begins.
    public long at(int row) {
        return first + row * pitch;
    }
}
