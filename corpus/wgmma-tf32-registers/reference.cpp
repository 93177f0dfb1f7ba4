#include "case.h"

int main() {
    const size_t m = 64, n = 64, k = 256;   // eight tiles over three stages
    Random random{412};
    auto a = random.integers<float>(m * k, -50, 50), b = random.integers<float>(n * k, -50, 50);
    Case("wgmma_tf32_registers").grid(n / 32, m / 64).block(128).in("a", a, {m, k}).tensorMap("b", b, {k, n}, {32, 32}, 128)
        .poison<float>("d", {m, n}).s32(n).s32(k)
        .expect("d", multiply<float>(a, b, m, n, k), {m, n}).write();
}
