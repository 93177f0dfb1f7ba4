#include "sparse.h"

int main() {
    const size_t m = 64, n = 32, k = 128;
    Random random{16};
    Sparse sparse = makeSparse(random, m, k, -8, 8, 1, Order::ASCENDING);
    auto b = random.integers<float>(n * k, -8, 8);
    Case("wgmma_sparse_f16").grid(n / 16, m / 64).block(128).in("a", as<f16>(sparse.kept), {m, k / 2}).in("b", as<f16>(b), {n, k})
        .in("metadata", metadata(sparse, Supply::TWO_OF_FOUR_HALVES, 32)).poison<float>("d", {m, n}).s32(n).s32(k / 4).s32(k / 2)
        .expect("d", multiply<float>(sparse.full, b, m, n, k), {m, n}).write();
}
