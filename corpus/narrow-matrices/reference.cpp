#include "case.h"

/// Sixteen elements along k in the first bits of sixteen bytes, the first lowest.
template <typename T> static std::vector<uint8_t> packed(const std::vector<float> &values, size_t bits) {
    std::vector<uint8_t> bytes(values.size());
    for (size_t i = 0; i < values.size(); i++) {
        for (size_t bit = 0; bit < bits; bit++) {
            size_t at = i % 16 * bits + bit;
            bytes[i / 16 * 16 + at / 8] |= uint8_t((T(values[i]).bits >> bit & 1) << at % 8);
        }
    }
    return bytes;
}

template <typename T> static void run(const std::string &entry, const std::string &name, size_t bits, float unit) {
    const size_t m = 16, n = 16, k = 96;
    Random random{460 + bits};
    std::vector<float> a, b;
    for (size_t i = 0; i < m * k; i++) a.push_back(float(random.integer(-4, 4)) * unit);
    for (size_t i = 0; i < n * k; i++) b.push_back(float(random.integer(-3, 3)) * unit);
    Case(entry, "launch-" + name + ".json").grid(n / 8).block(32).in("a_" + name, packed<T>(a, bits), {m, k}).in("b_" + name, packed<T>(b, bits), {n, k})
        .template poison<float>("d_" + name, {m, n}).s32(n).s32(k).expect("d_" + name, multiply<float>(a, b, m, n, k), {m, n}).write();
}

int main() {
    run<e2m1>("packed_e2m1", "e2m1", 4, 0.5f);
    run<e2m3>("packed_e2m3", "e2m3", 6, 0.125f);
    const size_t size = 16, k = 96;
    Random random{461};
    auto a = random.integers<int8_t>(size * k, -1, 1), b = random.integers<int8_t>(k * size, -1, 1);
    std::vector<int8_t> d(size * size);   // the transposed product
    for (size_t row = 0; row < size; row++) {
        for (size_t column = 0; column < size; column++) {
            int sum = 0;
            for (size_t i = 0; i < k; i++) sum += a[row * k + i] * b[i * size + column];
            d[column * size + row] = int8_t(sum);
        }
    }
    Case("transposed_s8", "launch-transposed.json").block(32).in("a", a, {size, k}).in("b", b, {k, size}).poison<int8_t>("d", {size, size}).s32(k)
        .expect("d", d, {size, size}).write();
}
