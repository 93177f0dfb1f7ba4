#include "sparse.h"

/// 2^(byte - 127).
static float ue8m0(uint8_t byte) { return std::ldexp(1.0f, int(byte) - 127); }

static std::vector<uint8_t> exponents(Random &random, size_t count) { return random.integers<uint8_t>(count, 124, 130); }

/// Rows of A and columns of B with every element scaled; `scale(row, k)` gives the factor of an element.
template <typename A, typename B, typename ScaleA, typename ScaleB>
static std::vector<float> scaled(const std::vector<A> &a, const std::vector<B> &b, size_t m, size_t n, size_t k, ScaleA scale_a, ScaleB scale_b) {
    std::vector<float> d;
    for (size_t row = 0; row < m; row++) {
        for (size_t column = 0; column < n; column++) {
            double sum = 0;
            for (size_t i = 0; i < k; i++) sum += double(float(a[row * k + i])) * float(b[column * k + i]) * scale_a(row, i) * scale_b(column, i);
            d.push_back(float(sum));
        }
    }
    return d;
}

int main() {
    const size_t m = 16, n = 16;
    Random random{99};
    {
        const size_t k = 256;   // eight steps: two words of four scales
        auto a = random.integers<e4m3>(m * k, -4, 4), b = random.integers<e4m3>(n * k, -4, 4);
        auto scales_a = exponents(random, m * k / 32), scales_b = exponents(random, n * k / 32);
        auto d = scaled(a, b, m, n, k, [&](size_t row, size_t i) { return ue8m0(scales_a[row * k / 32 + i / 32]); },
                        [&](size_t column, size_t i) { return ue8m0(scales_b[column * k / 32 + i / 32]); });
        Case("scaled_e4m3").grid(n / 8).block(32).in("a", a, {m, k}).in("b", b, {n, k}).in("scales_a", scales_a, {m, k / 32}).in("scales_b", scales_b, {n, k / 32})
            .poison<float>("d", {m, n}).s32(n).s32(k / 4).expect("d", d, {m, n}).write();
    }
    {
        const size_t k = 128;
        const float numbers[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
        auto codes_a = random.integers<float>(m * k, 0, 15), codes_b = random.integers<float>(n * k, 0, 15);
        auto values = [&](const std::vector<float> &codes) {
            std::vector<float> result;
            for (float code : codes) result.push_back(int(code) > 7 ? -numbers[int(code) - 8] : numbers[int(code)]);
            return result;
        };
        std::vector<e4m3> scales_a, scales_b;   // ue4m3: the same bits without a sign
        for (size_t i = 0; i < m * k / 16; i++) scales_a.push_back(e4m3(float(random.integer(1, 12)) / 2)), scales_b.push_back(e4m3(float(random.integer(1, 12)) / 4));
        auto d = scaled(values(codes_a), values(codes_b), m, n, k, [&](size_t row, size_t i) { return float(scales_a[row * k / 16 + i / 16]); },
                        [&](size_t column, size_t i) { return float(scales_b[column * k / 16 + i / 16]); });
        Case("scaled_e2m1", "launch-e2m1.json").grid(n / 8).block(32).in("a_e2m1", packNibbles(codes_a), {m, k / 2}).in("b_e2m1", packNibbles(codes_b), {n, k / 2})
            .in("scales_a_e2m1", scales_a, {m, k / 16}).in("scales_b_e2m1", scales_b, {n, k / 16})
            .poison<float>("d_e2m1", {m, n}).s32(n).s32(k / 8).expect("d_e2m1", d, {m, n}).write();
    }
    {
        const size_t k = 192;
        Sparse sparse = makeSparse(random, m, k, -4, 4, 1, Order::ASCENDING);
        auto b = random.integers<e4m3>(n * k, -4, 4);
        auto scales_a = exponents(random, m * k / 16), scales_b = exponents(random, n * k / 16);
        auto d = scaled(sparse.full, b, m, n, k, [&](size_t row, size_t i) { return ue8m0(scales_a[row * k / 16 + i / 64 * 4 + 2]); },
                        [&](size_t column, size_t i) { return ue8m0(scales_b[column * k / 16 + i / 64 * 4 + 1]); });
        Case("scaled_sparse", "launch-sparse.json").grid(n / 8).block(32).in("a_sparse", as<e4m3>(sparse.kept), {m, k / 2}).in("b_sparse", b, {n, k})
            .in("metadata", metadata(sparse, Supply::ALL_LANES, 64)).in("scales_a_sparse", scales_a, {m, k / 16}).in("scales_b_sparse", scales_b, {n, k / 16})
            .poison<float>("d_sparse", {m, n}).s32(n).s32(k / 4).expect("d_sparse", d, {m, n}).write();
    }
}
