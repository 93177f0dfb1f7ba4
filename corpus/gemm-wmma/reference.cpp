#include <algorithm>

#include "case.h"

int main() {
    const size_t m = 32, n = 32, k = 64;
    Random random{91};
    auto a = random.integers<f16>(m * k, -8, 8), b = random.integers<f16>(n * k, -8, 8);
    auto c = random.integers<float>(m * n, -50, 50), d = multiply<float>(a, b, m, n, k);
    for (size_t i = 0; i < d.size(); i++) d[i] = std::max(d[i] + c[i], -100.0f);
    Case("gemm_wmma").grid(n / 16, m / 16).block(32).in("a", a, {m, k}).in("b", b, {n, k}).in("c", c, {m, n}).poison<float>("d", {m, n}).s32(n).s32(k)
        .expect("d", d, {m, n}).write();
}
