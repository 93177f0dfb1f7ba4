#include "sparse.h"

static const float NUMBERS[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};

static std::vector<float> values(const std::vector<float> &codes) {
    std::vector<float> result;
    for (float code : codes) result.push_back(int(code) > 7 ? -NUMBERS[int(code) - 8] : NUMBERS[int(code)]);
    return result;
}

/// Exact: every number and scale has few bits, and so have the sums.
template <typename ScaleA, typename ScaleB>
static std::vector<float> scaled(const std::vector<float> &a, const std::vector<float> &b, size_t m, size_t n, size_t k, ScaleA scale_a, ScaleB scale_b) {
    std::vector<float> d;
    for (size_t row = 0; row < m; row++) {
        for (size_t column = 0; column < n; column++) {
            double sum = 0;
            for (size_t i = 0; i < k; i++) sum += double(a[row * k + i]) * double(b[column * k + i]) * scale_a(row, i) * scale_b(column, i);
            d.push_back(float(sum));
        }
    }
    return d;
}

static double ue8m0(uint8_t byte) { return std::ldexp(1.0, int(byte) - 127); }

int main() {
    const size_t m = 16, n = 16;
    Random random{450};
    for (bool nv : {false, true}) {
        const size_t k = 256, block = 32;
        std::string suffix = nv ? "_nv" : "_mx";
        auto a = random.integers<float>(m * k, 0, 15), b = random.integers<float>(n * k, 0, 15);
        auto scales_a = random.integers<uint8_t>(m * k / block, 125, 129), scales_b = random.integers<uint8_t>(n * k / block, 125, 129);
        auto d = scaled(values(a), values(b), m, n, k, [&](size_t row, size_t i) { return ue8m0(scales_a[(row * k + i) / block]); },
                        [&](size_t column, size_t i) { return ue8m0(scales_b[(column * k + i) / block]); });
        Case(nv ? "dense_nvf4" : "dense_mxf4", nv ? "launch-nv.json" : "launch.json").grid(n / 8).block(32)
            .in("a" + suffix, packNibbles(a), {m, k / 2}).in("b" + suffix, packNibbles(b), {n, k / 2})
            .in("scales_a" + suffix, scales_a, {m, k / block}).in("scales_b" + suffix, scales_b, {n, k / block})
            .poison<float>("d" + suffix, {m, n}).s32(n).s32(k / 8).expect("d" + suffix, d, {m, n}).write();
    }
    for (bool nv : {false, true}) {
        const size_t k = 384, each = nv ? 32 : 64;   // logical elements a scale stands for
        std::string suffix = nv ? "_sparse_nv" : "_sparse_mx";
        Sparse sparse = makeSparse(random, m, k, 0, 15, 2, Order::ASCENDING);
        auto b = random.integers<float>(n * k, 0, 15);
        // four bytes a step of 128: two of them, or all
        std::vector<uint8_t> scales_a, scales_b;
        for (size_t i = 0; i < m * k / 32; i++) scales_a.push_back(nv ? e4m3(float(random.integer(1, 12)) / 2).bits : uint8_t(random.integer(125, 129)));
        for (size_t i = 0; i < n * k / 32; i++) scales_b.push_back(nv ? e4m3(float(random.integer(1, 12)) / 4).bits : uint8_t(random.integer(125, 129)));
        auto scale = [&](const std::vector<uint8_t> &scales, size_t row, size_t i) {
            uint8_t byte = scales[row * k / 32 + i / 128 * 4 + i % 128 / each];
            if (!nv) return ue8m0(byte);
            e4m3 number;
            number.bits = byte;
            return double(float(number));
        };
        std::vector<float> full = values(sparse.full);
        auto d = scaled(full, values(b), m, n, k, [&](size_t row, size_t i) { return scale(scales_a, row, i); },
                        [&](size_t column, size_t i) { return scale(scales_b, column, i); });
        Case(nv ? "sparse_nvf4" : "sparse_mxf4", nv ? "launch-sparse-nv.json" : "launch-sparse.json").grid(n / 8).block(32)
            .in("a" + suffix, packNibbles(sparse.kept), {m, k / 4}).in("b" + suffix, packNibbles(b), {n, k / 2})
            .in("metadata" + suffix, metadata(sparse, Supply::ALL_LANES, 128))
            .in("scales_a" + suffix, scales_a, {m, k / 32}).in("scales_b" + suffix, scales_b, {n, k / 32})
            .poison<float>("d" + suffix, {m, n}).s32(n).s32(k / 8).expect("d" + suffix, d, {m, n}).write();
    }
}
