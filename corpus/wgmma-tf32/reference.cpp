#include "case.h"

int main() {
    const size_t m = 64, n = 16, k = 48;
    Random random{10};
    auto a = random.integers<float>(m * k, -50, 50);
    auto b = random.integers<float>(n * k, -50, 50);
    Case("wgmma_tf32").grid(n / 8, m / 64).block(128).in("a", a, {m, k}).in("b", b, {n, k}).poison<float>("d", {m, n})
        .s32(n).s32(k / 1).s32(k / 1).expect("d", multiply<float>(a, b, m, n, k), {m, n}).write();
}
