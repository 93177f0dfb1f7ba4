#include <array>

#include "case.h"

using Matrix = std::array<uint64_t, 64>;

static Matrix times(const Matrix &a, const Matrix &b) {
    Matrix c{};
    for (size_t i = 0; i < 8; i++) {
        for (size_t j = 0; j < 8; j++) {
            for (size_t k = 0; k < 8; k++) c[i * 8 + j] = uint64_t((c[i * 8 + j] + (unsigned __int128)a[i * 8 + k] * b[k * 8 + j]) % 4294967291u);
        }
    }
    return c;
}

static Matrix power(const Matrix &matrix, uint64_t exponent) {
    if (exponent == 0) {
        Matrix one{};
        for (size_t i = 0; i < 8; i++) one[i * 9] = 1;
        return one;
    }
    Matrix half = power(matrix, exponent / 2), whole = times(half, half);
    return exponent % 2 == 1 ? times(whole, matrix) : whole;
}

int main() {
    std::vector<uint64_t> exponents{0, 1, 13, 1000000007, 0x123456789abcdef};
    Random random{79};
    std::vector<uint32_t> matrices, powers;
    for (uint64_t exponent : exponents) {
        Matrix matrix;
        for (uint64_t &entry : matrix) matrices.push_back(uint32_t(entry = random.next() % 4294967291u));
        for (uint64_t entry : power(matrix, exponent)) powers.push_back(uint32_t(entry));
    }
    Case("matrix_power").grid(unsigned(exponents.size())).block(8, 8).in("matrices", matrices).in("exponents", exponents).poison<uint32_t>("powers", {matrices.size()})
        .expect("powers", powers).write();
}
