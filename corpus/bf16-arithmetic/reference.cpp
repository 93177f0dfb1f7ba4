#include <algorithm>

#include "case.h"

/// One rounding of an exact f64 value to bf16, ties to even (the values here are far from overflow and from the subnormals).
static bf16 rounded(double value) {
    if (value == 0) return bf16(float(value));
    int exponent;
    std::frexp(value, &exponent);
    return bf16(float(std::ldexp(std::nearbyint(std::ldexp(value, 8 - exponent)), exponent - 8)));
}

static bf16 truncated(float value) {
    bf16 result;
    uint32_t word;
    std::memcpy(&word, &value, 4);
    result.bits = uint16_t(word >> 16);
    return result;
}

int main() {
    const size_t count = 100;
    Random random{62};
    auto a = random.reals<bf16>(2 * count, -60, 60), b = random.reals<bf16>(2 * count, -60, 60), c = random.reals<bf16>(2 * count, -600, 600);
    std::vector<bf16> out(count * 16);
    for (size_t i = 0; i < count; i++) {
        const bf16 *x = &a[2 * i], *y = &b[2 * i], *z = &c[2 * i];
        bf16 *results = &out[i * 16];
        for (int h = 0; h < 2; h++) {
            double p = x[h], q = y[h], r = z[h];
            results[h] = rounded(p + q), results[2 + h] = rounded(p * q), results[4 + h] = rounded(p * q + r);
            results[6 + h] = p * q + r < 0 ? bf16(0.0f) : rounded(p * q + r);
            results[8 + h] = std::max(p, q) == p ? x[h] : y[h], results[10 + h] = bf16(float(-std::fabs(p)));
        }
        results[12] = bf16(std::fma(float(x[0]), 1.00390625f, 1.0f)), results[13] = bf16(float(x[1]) * 3.0f);
        results[14] = truncated(float(x[0]) * 1.0078125f), results[15] = bf16(float(z[1]) - float(x[1]));
    }
    Case("bf16_arithmetic").grid(2).block(64).in("a", a).in("b", b).in("c", c).poison<bf16>("out", {count, 16}).s32(count).expect("out", out, {count, 16}).write();
}
