#include "sparse.h"

int main() {
    const size_t m = 32, n = 16;
    Random random{9};
    {
        const size_t k = 256;
        Sparse sparse = makeSparse(random, m, k, -8, 7, 2, Order::ASCENDING);
        auto b = random.integers<float>(n * k, -8, 7);
        Case("sparse_s4_k64", "launch.json").grid(n / 8, m / 16).block(32)
            .in("a_k64", packNibbles(sparse.kept), {m, k / 4}).in("b_k64", packNibbles(b), {n, k / 2})
            .in("metadata_k64", metadata(sparse, Supply::TWO_OF_FOUR_ROWS, 64)).poison<int32_t>("d_k64", {m, n})
            .s32(n).s32(k / 16).s32(k / 8)
            .expect("d_k64", multiply<int32_t>(sparse.full, b, m, n, k), {m, n}).write();
    }
    {
        const size_t k = 256;
        Sparse sparse = makeSparse(random, m, k, -8, 7, 2, Order::ANY);
        auto b = random.integers<float>(n * k, -8, 7);
        Case("sparse_s4_k128", "launch-k128.json").grid(n / 8, m / 16).block(32)
            .in("a_k128", packNibbles(sparse.kept), {m, k / 4}).in("b_k128", packNibbles(b), {n, k / 2})
            .in("metadata_k128", metadata(sparse, Supply::ALL_LANES, 128)).poison<int32_t>("d_k128", {m, n})
            .s32(n).s32(k / 16).s32(k / 8)
            .expect("d_k128", multiply<int32_t>(sparse.full, b, m, n, k), {m, n})
            .note("plain .sp: the two indices of a chunk stand in either order").write();
    }
}
