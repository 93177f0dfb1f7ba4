#include "sparse.h"

int main() {
    const size_t m = 64, n = 64, k = 192;
    Random random{417};
    Sparse sparse = makeSparse(random, m, k, -4, 4, 1, Order::ASCENDING);
    auto b = random.integers<float>(n * k, -4, 4);
    auto c = random.integers<f16>(m * n, -60, 60);
    auto product = multiply<float>(sparse.full, b, m, n, k);   // below 2048: exact in f16
    std::vector<f16> d;
    for (size_t i = 0; i < m * n; i++) d.push_back(f16(i % n < 32 ? product[i] : float(c[i]) - product[i]));
    Case("wgmma_sparse_fp8_tma").grid(n / 32, m / 64).block(128)
        .tensorMap("a", as<e5m2>(sparse.kept), {k / 2, m}, {32, 64}, 32).tensorMap("b", as<e4m3>(b), {k, n}, {64, 32}, 64)
        .in("metadata", metadata(sparse, Supply::ALL_LANES, 64)).in("c", c, {m, n}).poison<f16>("d", {m, n}).s32(n).s32(k)
        .expect("d", d, {m, n}).write();
}
