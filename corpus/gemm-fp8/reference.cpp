#include "case.h"

int main() {
    const size_t m = 64, n = 64, k = 128;
    Random random{6};
    auto a = random.integers<e4m3>(m * k, -4, 4), b = random.integers<e4m3>(n * k, -4, 4);
    Case("gemm_fp8").grid(n / 32, m / 64).block(128)
        .in("a", a, {m, k}).in("b", b, {n, k}).poison<float>("d", {m, n}).s32(n).s32(k)
        .expect("d", multiply<float>(a, b, m, n, k), {m, n})
        .note("D = A * B, B given by columns; small integers, so every sum is exact")
        .write();
}
