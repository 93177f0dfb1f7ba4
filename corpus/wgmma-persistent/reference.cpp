#include "case.h"

int main() {
    const size_t m = 192, n = 128, k = 192;   // six tiles for four blocks
    Random random{419};
    auto a = random.integers<f16>(m * k, -3, 3), b = random.integers<f16>(n * k, -3, 3);
    Case("wgmma_persistent").grid(4).block(128)
        .tensorMap("a", a, {k, m}, {64, 64}, 128).tensorMap("b", b, {k, n}, {64, 64}, 128)
        .tensorMap("d", std::vector<f16>(m * n), {n, m}, {64, 64}, 128).zeros<uint32_t>("next", {1}).s32(m).s32(n).s32(k)
        .expect("d", multiply<f16>(a, b, m, n, k), {m, n}).expect("next", std::vector<uint32_t>{6 + 4}).write();
}
