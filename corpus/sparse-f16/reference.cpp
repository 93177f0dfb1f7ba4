#include "sparse.h"

int main() {
    const size_t m = 32, n = 16;
    Random random{10};
    {
        const size_t k = 128;
        Sparse sparse = makeSparse(random, m, k, -8, 8, 1, Order::ANY);
        auto b = random.integers<float>(n * k, -8, 8);
        Case("sparse_f16_k16", "launch.json").grid(n / 8, m / 16).block(32)
            .in("a_k16", as<f16>(sparse.kept), {m, k / 2}).in("b_k16", as<f16>(b), {n, k})
            .in("metadata_k16", metadata(sparse, Supply::ONE_OF_FOUR_LANES, 16)).poison<float>("d_k16", {m, n})
            .s32(n).s32(k / 4).s32(k / 2)
            .expect("d_k16", multiply<float>(sparse.full, b, m, n, k), {m, n})
            .note("plain .sp: the two indices of a chunk stand in either order").write();
    }
    {
        const size_t k = 128;
        Sparse sparse = makeSparse(random, m, k, -8, 8, 1, Order::ASCENDING);
        auto b = random.integers<float>(n * k, -8, 8);
        Case("sparse_f16_k32", "launch-k32.json").grid(n / 8, m / 16).block(32)
            .in("a_k32", as<f16>(sparse.kept), {m, k / 2}).in("b_k32", as<f16>(b), {n, k})
            .in("metadata_k32", metadata(sparse, Supply::TWO_OF_FOUR_HALVES, 32)).poison<float>("d_k32", {m, n})
            .s32(n).s32(k / 4).s32(k / 2)
            .expect("d_k32", multiply<float>(sparse.full, b, m, n, k), {m, n}).write();
    }
}
