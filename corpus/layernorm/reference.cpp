#include "case.h"

int main() {
    const size_t rows = 10, columns = 77;
    Random random{82};
    auto in = random.reals<float>(rows * columns, -3, 5), scale = random.reals<float>(columns, 0.5, 2), shift = random.reals<float>(columns, 8, 9);
    std::vector<float> out;
    for (size_t row = 0; row < rows; row++) {
        double mean = 0, squares = 0;
        for (size_t i = 0; i < columns; i++) mean += in[row * columns + i] / double(columns);
        for (size_t i = 0; i < columns; i++) squares += std::pow(in[row * columns + i] - mean, 2);
        for (size_t i = 0; i < columns; i++) out.push_back(float((in[row * columns + i] - mean) / std::sqrt(squares / double(columns) + 1e-5) * scale[i] + shift[i]));
    }
    Case("layernorm").grid(3).block(128).in("in", in, {rows, columns}).in("scale", scale).in("shift", shift).poison<float>("out", {rows, columns}).s32(rows).s32(columns)
        .expectRelative("out", out, 2e-6, {rows, columns}).note("the reference works in f64; the shift keeps the results away from zero").write();
}
