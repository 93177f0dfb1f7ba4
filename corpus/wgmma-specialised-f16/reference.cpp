#include "case.h"

int main() {
    const size_t m = 128, n = 64, k = 352;   // eleven tiles: the ring goes round twice and stops within
    Random random{410};
    auto a = random.integers<f16>(m * k, -8, 8), b = random.integers<f16>(n * k, -8, 8);
    Case("wgmma_specialised_f16").grid(n / 32, m / 128).block(384)
        .tensorMap("a", a, {k, m}, {32, 128}, 64).tensorMap("b", b, {k, n}, {32, 32}, 64)
        .poison<float>("d", {m, n}).s32(n).s32(k)
        .expect("d", multiply<float>(a, b, m, n, k), {m, n}).write();
}
