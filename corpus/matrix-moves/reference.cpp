#include "case.h"

int main() {
    auto rows = Random{95}.integers<uint16_t>(32 * 8, 0, 65535);
    std::vector<uint32_t> out;
    // row i of a matrix is the row that lane 8 * matrix + i points at
    auto load = [&](bool transposed, int matrix, int flip, bool backwards) {
        for (int lane = 0; lane < 32; lane++) {
            uint32_t word = 0;
            for (int half = 0; half < 2; half++) {
                int row = lane / 4, column = lane % 4 * 2 + half;
                if (transposed) std::swap(row, column);
                int pointer = matrix * 8 + row;
                int place = backwards ? 31 - pointer : pointer ^ flip;
                word |= uint32_t(rows[size_t(place * 8 + column)]) << 16 * half;
            }
            out.push_back(word);
        }
    };
    load(false, 0, 0, false);
    for (int i = 0; i < 2; i++) load(false, i, 0, false);
    for (int i = 0; i < 4; i++) load(false, i, 0, false);
    load(true, 0, 0, false);
    for (int i = 0; i < 2; i++) load(true, i, 1, false);
    for (int i = 0; i < 4; i++) load(true, i, 0, true);
    load(true, 1, 0, false);
    Case("matrix_moves").block(32).in("rows", rows, {32, 8}).poison<uint32_t>("out", {15, 32}).expect("out", out, {15, 32}).write();
}
