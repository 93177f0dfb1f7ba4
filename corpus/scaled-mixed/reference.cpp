#include "sparse.h"

/// One element a byte; e2m1 stands in bits 5 to 2.
template <typename T> static std::vector<uint8_t> bytes(const std::vector<float> &values) {
    std::vector<uint8_t> result;
    for (float value : values) result.push_back(uint8_t(T(value).bits << (std::is_same_v<T, e2m1> ? 2 : 0)));
    return result;
}

template <typename A, typename B>
static void run(const std::string &entry, const std::string &name, bool isSparse, bool isScaled) {
    const size_t m = 16, n = 16, k = 192, step = isSparse ? 64 : 32;
    Random random{k + name.size() * 7};
    Sparse sparse = makeSparse(random, m, k, -3, 3, 1, Order::ASCENDING);
    auto dense = random.integers<float>(m * k, -3, 3), b = random.integers<float>(n * k, -4, 4);
    for (float &value : b) value = value == 3 || value == -3 || std::is_same_v<B, e2m1> ? value / 2 : value;
    auto scales_a = random.integers<uint8_t>(m * k / step * 4, 124, 130), scales_b = random.integers<uint8_t>(n * k / step * 4, 124, 130);
    const auto &full = isSparse ? sparse.full : dense;
    std::vector<float> d;
    for (size_t row = 0; row < m; row++) {
        for (size_t column = 0; column < n; column++) {
            double sum = 0;
            for (size_t i = 0; i < k; i++) {
                int exponent = scales_a[(row * k / step + i / step) * 4 + 1] + scales_b[(column * k / step + i / step) * 4 + 3] - 254;
                sum += std::ldexp(double(full[row * k + i]) * double(b[column * k + i]), isScaled ? exponent : 0);
            }
            d.push_back(float(sum));
        }
    }
    auto named = [&](const char *what) { return what + ("_" + name); };
    Case(entry, "launch-" + name + ".json").grid(n / 8).block(32)
        .in(named("a"), bytes<A>(isSparse ? sparse.kept : dense), {m, isSparse ? k / 2 : k}).in(named("b"), bytes<B>(b), {n, k})
        .in(named("metadata"), metadata(sparse, Supply::ALL_LANES, 64)).in(named("scales_a"), scales_a, {m, k / step, 4})
        .in(named("scales_b"), scales_b, {n, k / step, 4}).template poison<float>(named("d"), {m, n}).s32(n).s32(k / 4).expect(named("d"), d, {m, n}).write();
}

int main() {
    run<e4m3, e2m1>("scaled_e4m3_e2m1", "e4m3", false, true);
    run<e3m2, e5m2>("scaled_e3m2_e5m2", "e3m2", false, true);
    run<e2m3, e4m3>("scaled_sparse_e2m3_e4m3", "sparse", true, true);
    run<e5m2, e2m3>("sparse_e5m2_e2m3", "unscaled", true, false);
}
