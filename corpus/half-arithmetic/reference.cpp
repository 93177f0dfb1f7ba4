#include <algorithm>

#include "case.h"

static f16 saturate(double value) { return f16(std::min(std::max(value, 0.0), 1.0)); }

int main() {
    const size_t count = 100;
    Random random{61};
    auto a = random.reals<f16>(2 * count, -60, 60), b = random.reals<f16>(2 * count, -60, 60), c = random.reals<f16>(2 * count, -600, 600);
    for (size_t i = 0; i < 40; i++) c[i] = f16(-float(a[i]) * float(b[i]) + 0.5f), a[i + 40] = f16(float(a[i + 40]) / 65536);
    std::vector<f16> out(count * 20);
    std::vector<int32_t> integers;
    for (size_t i = 0; i < count; i++) {
        const f16 *x = &a[2 * i], *y = &b[2 * i], *z = &c[2 * i];
        f16 *results = &out[i * 20];
        for (int h = 0; h < 2; h++) {
            // sums and products of two f16 numbers are exact in f64, and so is the fma of these magnitudes: one rounding
            double p = x[h], q = y[h], r = z[h];
            results[h] = f16(p + q), results[2 + h] = f16(p - q), results[4 + h] = f16(p * q), results[6 + h] = f16(p * q + r);
            results[8 + h] = saturate(p * q + r), results[10 + h] = f16(-std::fabs(p)), results[12 + h] = f16(p > q ? 1 : 0);
            results[18 + h] = saturate(p + r);
        }
        results[14] = std::max(x[1], y[1]), results[15] = std::min(x[0], y[0]);
        results[16] = f16(float(x[0]) * 1.0009765625f), results[17] = f16(float(y[1]) * 0.33325195f);
        integers.push_back(int(std::nearbyint(double(x[0]))));
        integers.push_back(int(double(x[1])));
        integers.push_back(int(std::floor(double(y[0]))));
        f16 converted = f16(double(int(i) * 4097 - 9999));
        uint16_t bits;
        std::memcpy(&bits, &converted, 2);
        integers.push_back(bits + 65536);
    }
    Case("half_arithmetic").grid(2).block(64).in("a", a).in("b", b).in("c", c).poison<f16>("out", {count, 20}).poison<int32_t>("integers", {count, 4}).s32(count)
        .expect("out", out, {count, 20}).expect("integers", integers, {count, 4}).write();
}
