#include "case.h"

int main() {
    const size_t m = 64, n = 64, k = 256;
    Random random{421};
    auto a = random.integers<bf16>(m * k, -8, 8), b = random.integers<bf16>(n * k, -8, 8);
    auto c = random.integers<float>(m * n, -1000, 1000), d = multiply<float>(a, b, m, n, k);
    for (size_t i = 0; i < m * n; i++) d[i] += c[i];
    Case("wgmma_split_k").grid(n / 32, m / 64, k / 64).block(128)
        .tensorMap("a", a, {k, m}, {64, 64}, 128).tensorMap("b", b, {k, n}, {64, 32}, 128).tensorMap("d", c, {n, m}, {32, 64}, 0)
        .expect("d", d, {m, n}).write();
}
