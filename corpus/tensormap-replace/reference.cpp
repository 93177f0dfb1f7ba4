#include "case.h"

struct Matrix {
    uint32_t offset, columns, rows, pitch;
};

int main() {
    const size_t columns = 32, rows = 16;
    const std::vector<Matrix> matrices{{0, 40, 20, 40}, {800, 21, 30, 24}, {1520, 64, 9, 68}, {4, 33, 17, 48}};
    auto words = Random{441}.integers<uint32_t>(2200, 0, 1 << 30);
    std::vector<uint32_t> fields, out;
    for (const Matrix &matrix : matrices) {
        fields.insert(fields.end(), {matrix.offset, matrix.columns, matrix.rows, matrix.pitch});
        for (size_t i = 0; i < rows * columns; i++) {   // the box begins at column 4, row 1
            size_t row = 1 + i / columns, column = 4 + i % columns;
            out.push_back(row < matrix.rows && column < matrix.columns ? words[matrix.offset + row * matrix.pitch + column] : 0);
        }
    }
    Case("tensormap_replace").grid(matrices.size()).block(64)
        .tensorMap("pattern", std::vector<uint32_t>(rows * columns), {columns, rows}, {columns, rows}, 0)
        .in("words", words).in("matrices", fields, {4, 4}).poison<uint32_t>("out", {matrices.size(), rows, columns})
        .expect("out", out, {matrices.size(), rows, columns}).write();
    Case("tensormap_from_zeros", "launch-zeros.json").grid(matrices.size()).block(64)
        .in("words_zeros", words).in("matrices_zeros", fields, {4, 4}).poison<uint32_t>("out_zeros", {matrices.size(), rows, columns})
        .expect("out_zeros", out, {matrices.size(), rows, columns}).write();
}
