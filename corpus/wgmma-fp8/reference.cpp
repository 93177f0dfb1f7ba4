#include "case.h"

int main() {
    const size_t m = 64, n = 48, k = 128;
    Random random{9};
    auto a = random.integers<e4m3>(m * k, -4, 4);
    auto b = random.integers<e5m2>(n * k, -4, 4);
    Case("wgmma_fp8").grid(n / 24, m / 64).block(128).in("a", a, {m, k}).in("b", b, {n, k}).poison<float>("d", {m, n})
        .s32(n).s32(k / 4).s32(k / 4).expect("d", multiply<float>(a, b, m, n, k), {m, n}).write();
}
