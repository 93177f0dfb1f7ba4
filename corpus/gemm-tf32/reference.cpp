#include "case.h"

int main() {
    const size_t m = 64, n = 64, k = 48;
    Random random{3};
    auto a = random.integers<float>(m * k, -50, 50), b = random.integers<float>(n * k, -50, 50);
    Case("gemm_tf32").grid(n / 32, m / 64).block(128)
        .in("a", a, {m, k}).in("b", b, {n, k}).poison<float>("d", {m, n}).s32(n).s32(k)
        .expect("d", multiply<float>(a, b, m, n, k), {m, n})
        .note("D = A * B, B given by columns; small integers, so every sum is exact")
        .write();
}
