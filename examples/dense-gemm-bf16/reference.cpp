#include <algorithm>

#include "case.h"

int main() {
    const size_t m = 128, n = 64, k = 160;
    Random random{1004};
    auto a = random.integers<bf16>(m * k, -8, 8), b = random.integers<bf16>(n * k, -8, 8);
    auto bias = random.integers<float>(n, -99, 99), sums = multiply<float>(a, b, m, n, k);
    std::vector<bf16> d;
    for (size_t i = 0; i < sums.size(); i++) d.push_back(bf16(std::max(sums[i] + bias[i % n], 0.0f)));
    Case("dense_gemm_bf16").grid(n / 64, m / 64).block(128).in("a", a, {m, k}).in("b", b, {n, k}).in("bias", bias).poison<bf16>("d", {m, n}).s32(n).s32(k)
        .expect("d", d, {m, n}).note("D = relu(A * B + bias); the sums are exact, the one rounding is that to bf16").write();
}
