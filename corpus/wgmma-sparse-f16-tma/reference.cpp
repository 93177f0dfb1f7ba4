#include "sparse.h"

int main() {
    const size_t m = 128, n = 64, k = 320;   // five tiles over two stages
    Random random{416};
    Sparse sparse = makeSparse(random, m, k, -8, 8, 1, Order::ASCENDING);
    auto b = random.integers<float>(n * k, -8, 8);
    Case("wgmma_sparse_f16_tma").grid(n / 64, m / 128).block(288)
        .tensorMap("a", as<f16>(sparse.kept), {k / 2, m}, {32, 128}, 64).tensorMap("b", as<f16>(b), {k, n}, {64, 64}, 128)
        .in("metadata", metadata(sparse, Supply::TWO_OF_FOUR_HALVES, 32)).poison<float>("d", {m, n}).s32(n).s32(k)
        .expect("d", multiply<float>(sparse.full, b, m, n, k), {m, n}).write();
}
