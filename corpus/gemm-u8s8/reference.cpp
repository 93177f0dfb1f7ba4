#include "case.h"

int main() {
    const size_t m = 64, n = 64, k = 64;
    Random random{5};
    auto a = random.integers<int8_t>(m * k, 0, 127), b = random.integers<int8_t>(n * k, -128, 127);
    Case("gemm_u8s8").grid(n / 32, m / 64).block(128)
        .in("a", a, {m, k}).in("b", b, {n, k}).poison<int32_t>("d", {m, n}).s32(n).s32(k)
        .expect("d", multiply<int32_t>(a, b, m, n, k), {m, n})
        .note("D = A * B, B given by columns; small integers, so every sum is exact")
        .write();
}
