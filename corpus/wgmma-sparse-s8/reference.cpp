#include "sparse.h"

int main() {
    const size_t m = 64, n = 32, k = 256;
    Random random{15};
    Sparse sparse = makeSparse(random, m, k, -128, 127, 1, Order::ASCENDING);
    auto b = random.integers<float>(n * k, -128, 127);
    Case("wgmma_sparse_s8").grid(n / 16, m / 64).block(128).in("a", as<int8_t>(sparse.kept), {m, k / 2}).in("b", as<int8_t>(b), {n, k})
        .in("metadata", metadata(sparse, Supply::ALL_LANES, 64)).poison<int32_t>("d", {m, n}).s32(n).s32(k / 8).s32(k / 4)
        .expect("d", multiply<int32_t>(sparse.full, b, m, n, k), {m, n}).write();
}
