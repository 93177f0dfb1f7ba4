#include "sparse.h"

int main() {
    const size_t m = 64, n = 32, k = 192;
    Random random{418};
    Sparse sparse = makeSparse(random, m, k, -8, 8, 1, Order::ASCENDING);
    auto b = random.integers<float>(n * k, -8, 8);
    Case("wgmma_sparse_registers").grid(n / 16, m / 64).block(128).in("a", as<bf16>(sparse.kept), {m, k / 2})
        .tensorMap("b", as<bf16>(b), {k, n}, {64, 16}, 128).in("metadata", metadata(sparse, Supply::TWO_OF_FOUR_HALVES, 32))
        .poison<float>("d", {m, n}).s32(n).s32(k).expect("d", multiply<float>(sparse.full, b, m, n, k), {m, n}).write();
}
