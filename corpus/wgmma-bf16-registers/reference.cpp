#include "case.h"

int main() {
    const size_t m = 64, n = 32, k = 128;
    Random random{42};
    auto a = random.integers<bf16>(m * k, -8, 8), b = random.integers<bf16>(n * k, -8, 8);
    Case("wgmma_bf16_registers").grid(n / 16, m / 64).block(128).in("a", a, {m, k}).in("b", b, {n, k}).poison<float>("d", {m, n}).s32(n).s32(k)
        .expect("d", multiply<float>(a, b, m, n, k), {m, n}).write();
}
