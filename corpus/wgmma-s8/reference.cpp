#include "case.h"

int main() {
    const size_t m = 64, n = 64, k = 192;
    Random random{8};
    auto a = random.integers<int8_t>(m * k, -128, 127);
    auto b = random.integers<int8_t>(n * k, -128, 127);
    Case("wgmma_s8").grid(n / 32, m / 64).block(128).in("a", a, {m, k}).in("b", b, {n, k}).poison<int32_t>("d", {m, n})
        .s32(n).s32(k / 4).s32(k / 4).expect("d", multiply<int32_t>(a, b, m, n, k), {m, n}).write();
}
