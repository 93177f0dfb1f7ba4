#include "sparse.h"

int main() {
    const size_t m = 32, n = 16;
    Random random{10};
    {
        const size_t k = 128;
        Sparse sparse = makeSparse(random, m, k, -4, 4, 1, Order::ASCENDING);
        auto b = random.integers<float>(n * k, -4, 4);
        Case("sparse_fp8_k64", "launch.json").grid(n / 8, m / 16).block(32)
            .in("a", as<e4m3>(sparse.kept), {m, k / 2}).in("b", as<e5m2>(b), {n, k})
            .in("metadata", metadata(sparse, Supply::ALL_LANES, 64)).poison<float>("d", {m, n})
            .s32(n).s32(k / 8).s32(k / 4)
            .expect("d", multiply<float>(sparse.full, b, m, n, k), {m, n}).write();
    }
}
