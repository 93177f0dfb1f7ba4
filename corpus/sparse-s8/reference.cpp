#include "sparse.h"

int main() {
    const size_t m = 32, n = 16;
    Random random{9};
    {
        const size_t k = 128;
        Sparse sparse = makeSparse(random, m, k, -128, 127, 1, Order::ANY);
        auto b = random.integers<float>(n * k, -128, 127);
        Case("sparse_s8_k32", "launch.json").grid(n / 8, m / 16).block(32)
            .in("a_k32", as<int8_t>(sparse.kept), {m, k / 2}).in("b_k32", as<int8_t>(b), {n, k})
            .in("metadata_k32", metadata(sparse, Supply::TWO_OF_FOUR_ROWS, 32)).poison<int32_t>("d_k32", {m, n})
            .s32(n).s32(k / 8).s32(k / 4)
            .expect("d_k32", multiply<int32_t>(sparse.full, b, m, n, k), {m, n})
            .note("plain .sp: the two indices of a chunk stand in either order").write();
    }
    {
        const size_t k = 128;
        Sparse sparse = makeSparse(random, m, k, -128, 127, 1, Order::ASCENDING);
        auto b = random.integers<float>(n * k, -128, 127);
        Case("sparse_s8_k64", "launch-k64.json").grid(n / 8, m / 16).block(32)
            .in("a_k64", as<int8_t>(sparse.kept), {m, k / 2}).in("b_k64", as<int8_t>(b), {n, k})
            .in("metadata_k64", metadata(sparse, Supply::ALL_LANES, 64)).poison<int32_t>("d_k64", {m, n})
            .s32(n).s32(k / 8).s32(k / 4)
            .expect("d_k64", multiply<int32_t>(sparse.full, b, m, n, k), {m, n}).write();
    }
}
