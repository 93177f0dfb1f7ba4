#include "case.h"

int main() {
    const size_t m = 64, n = 64, k = 384, blocks = k / 128;
    Random random{413};
    auto a = random.integers<e4m3>(m * k, -8, 8), b = random.integers<e4m3>(n * k, -8, 8);
    std::vector<float> scales_a, scales_b;
    for (size_t i = 0; i < m * blocks; i++) scales_a.push_back(float(random.integer(1, 31)) / 16);
    for (size_t i = 0; i < (n + 127) / 128 * blocks; i++) scales_b.push_back(std::ldexp(1.0f, random.integer(-4, 4)));
    // products of a block are integers below 2^13, scales have five bits: the kernel's f32 operations, repeated in its order
    std::vector<float> d(m * n);
    for (size_t row = 0; row < m; row++) {
        for (size_t column = 0; column < n; column++) {
            float sum = 0;
            for (size_t block = 0; block < blocks; block++) {
                float product = 0;
                for (size_t i = 0; i < 128; i++) product += float(a[row * k + block * 128 + i]) * float(b[column * k + block * 128 + i]);
                sum = std::fma(product, scales_a[row * blocks + block] * scales_b[column / 128 * blocks + block], sum);
            }
            d[row * n + column] = sum;
        }
    }
    Case("wgmma_e4m3_blockwise").grid(n / 32, m / 64).block(128)
        .tensorMap("a", a, {k, m}, {128, 64}, 128).tensorMap("b", b, {k, n}, {128, 32}, 128)
        .in("scales_a", scales_a, {m, blocks}).in("scales_b", scales_b).poison<float>("d", {m, n}).s32(n).s32(k).expect("d", d, {m, n}).write();
}
