#include "case.h"

int main() {
    const size_t m = 128, n = 64, k = 320;
    Random random{420};
    auto a = random.integers<f16>(m * k, -8, 8), b = random.integers<f16>(n * k, -8, 8);
    Case("wgmma_multicast").grid(n / 32, m / 64).block(128).cluster(2, 2)
        .tensorMap("a", a, {k, m}, {64, 32}, 128).tensorMap("b", b, {k, n}, {64, 16}, 128)
        .poison<float>("d", {m, n}).s32(n).s32(k).expect("d", multiply<float>(a, b, m, n, k), {m, n}).write();
}
