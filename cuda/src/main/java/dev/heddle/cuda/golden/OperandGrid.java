package dev.heddle.cuda.golden;

/// How the elements of an operand of a case follow each other, as far as the drawing of values
/// has to know: which two elements meet in one sum, and which share a column of B.
///
/// @param count elements in all
/// @param perLane elements a lane holds; 0 for a matrix in rows
/// @param perWord elements a register packs
/// @param rowLength elements of a row of the matrix; 0 for registers
record OperandGrid(int count, int perLane, int perWord, int rowLength) {
    static OperandGrid registers(int lanes, int wordsPerLane, int elementBits) {
        int perLane = wordsPerLane * Integer.SIZE / elementBits;
        return new OperandGrid(
                lanes * perLane, perLane, Math.max(1, Integer.SIZE / elementBits), 0);
    }

    static OperandGrid matrix(int rows, int rowLength) {
        return new OperandGrid(rows * rowLength, 0, 0, rowLength);
    }

    /// The element beside this one along K: the neighbour in the register or the row, or, where a
    /// register holds one element, the same register of the neighbouring lane.
    int partner(int index) {
        if (rowLength > 0 || perWord > 1) {
            return index ^ 1;
        }
        int lane = index / perLane;
        return (lane ^ 1) * perLane + index % perLane;
    }

    /// Whether an element is the second of its pair.
    boolean second(int index) {
        return partner(index) < index;
    }

    /// The row of A or the column of B that an element belongs to, as far as values have to agree
    /// along K: the four lanes of a quad hold one column of B.
    int line(int index) {
        return rowLength > 0 ? index / rowLength : index / perLane / 4;
    }
}
