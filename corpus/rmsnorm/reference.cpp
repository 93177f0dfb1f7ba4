#include "case.h"

int main() {
    const size_t rows = 5, columns = 320;
    Random random{83};
    auto in = random.integers<bf16>(rows * columns, -15, 15), weights = random.integers<bf16>(columns, 1, 4);
    std::vector<bf16> out;
    for (size_t row = 0; row < rows; row++) {
        double squares = 0;
        for (size_t i = 0; i < columns; i++) squares += std::pow(double(float(in[row * columns + i])), 2);   // integers: exact
        float factor = float(1 / sqrtl(float(squares) / float(columns)));   // one rounding of an almost exact value
        for (size_t i = 0; i < columns; i++) out.push_back(bf16(float(bf16(float(in[row * columns + i]) * factor)) * float(weights[i])));
    }
    Case("rmsnorm").grid(rows).block(64).in("in", in, {rows, columns}).in("weights", weights).poison<bf16>("out", {rows, columns}).s32(columns / 8)
        .expect("out", out, {rows, columns}).note("integers and correctly rounded operations: exact").write();
}
