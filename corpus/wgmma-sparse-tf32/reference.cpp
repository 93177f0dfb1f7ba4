#include "sparse.h"

int main() {
    const size_t m = 64, n = 16, k = 64;
    Random random{17};
    Sparse sparse = makeSparseTf32(random, m, k, -50, 50);
    auto b = random.integers<float>(n * k, -50, 50);
    Case("wgmma_sparse_tf32").grid(n / 8, m / 64).block(128).in("a", as<float>(sparse.kept), {m, k / 2}).in("b", as<float>(b), {n, k})
        .in("metadata", metadata(sparse, Supply::TWO_OF_FOUR_HALVES, 16)).poison<float>("d", {m, n}).s32(n).s32(k / 2).s32(k / 1)
        .expect("d", multiply<float>(sparse.full, b, m, n, k), {m, n}).write();
}
