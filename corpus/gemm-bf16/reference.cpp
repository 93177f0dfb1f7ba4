#include "case.h"

int main() {
    const size_t m = 64, n = 64, k = 96;
    Random random{2};
    auto a = random.integers<bf16>(m * k, -8, 8), b = random.integers<bf16>(n * k, -8, 8);
    Case("gemm_bf16").grid(n / 32, m / 64).block(128)
        .in("a", a, {m, k}).in("b", b, {n, k}).poison<float>("d", {m, n}).s32(n).s32(k)
        .expect("d", multiply<float>(a, b, m, n, k), {m, n})
        .note("D = A * B, B given by columns; small integers, so every sum is exact")
        .write();
}
