#include <algorithm>

#include "case.h"

int main() {
    const size_t rows = 6, columns = 500;
    auto in = Random{9}.reals<float>(rows * columns, -8, 8);
    std::vector<float> out;
    for (size_t row = 0; row < rows; row++) {
        const float *first = &in[row * columns];
        double highest = *std::max_element(first, first + columns), sum = 0;
        for (size_t i = 0; i < columns; i++) sum += std::exp(first[i] - highest);
        for (size_t i = 0; i < columns; i++) out.push_back(float(std::exp(first[i] - highest) / sum));
    }
    Case("softmax_fused").grid(rows).block(128).in("in", in, {rows, columns}).poison<float>("out", {rows, columns}).s32(columns)
        .expectRelative("out", out, 1e-5, {rows, columns}).note("the reference works in f64; ex2.approx and div.approx lie within 1e-5 of it").write();
}
