#include "sparse.h"

int main() {
    const size_t m = 32, n = 16;
    Random random{11};
    {
        const size_t k = 64;
        Sparse sparse = makeSparseTf32(random, m, k, -50, 50);
        auto b = random.integers<float>(n * k, -50, 50);
        Case("sparse_tf32_k8", "launch.json").grid(n / 8, m / 16).block(32)
            .in("a_k8", as<float>(sparse.kept), {m, k / 2}).in("b_k8", as<float>(b), {n, k})
            .in("metadata_k8", metadata(sparse, Supply::ONE_OF_FOUR_LANES, 8)).poison<float>("d_k8", {m, n})
            .s32(n).s32(k / 2).s32(k / 1)
            .expect("d_k8", multiply<float>(sparse.full, b, m, n, k), {m, n}).write();
    }
    {
        const size_t k = 64;
        Sparse sparse = makeSparseTf32(random, m, k, -50, 50);
        auto b = random.integers<float>(n * k, -50, 50);
        Case("sparse_tf32_k16", "launch-k16.json").grid(n / 8, m / 16).block(32)
            .in("a_k16", as<float>(sparse.kept), {m, k / 2}).in("b_k16", as<float>(b), {n, k})
            .in("metadata_k16", metadata(sparse, Supply::TWO_OF_FOUR_HALVES, 16)).poison<float>("d_k16", {m, n})
            .s32(n).s32(k / 2).s32(k / 1)
            .expect("d_k16", multiply<float>(sparse.full, b, m, n, k), {m, n}).write();
    }
}
