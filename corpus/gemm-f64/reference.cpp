#include "case.h"

int main() {
    const size_t m = 32, n = 16, k = 44;
    Random random{92};
    std::vector<double> a(m * k), b(n * k), d;
    for (double &value : a) value = random.real(-1, 1);
    for (double &value : b) value = random.real(-1, 1);
    for (size_t row = 0; row < m; row++) {
        for (size_t column = 0; column < n; column++) {
            double sum = 0;
            for (size_t i = 0; i < k; i++) sum = std::fma(a[row * k + i], b[column * k + i], sum);
            d.push_back(sum);
        }
    }
    Case("gemm_f64").grid(n / 8, m / 16).block(32).in("a", a, {m, k}).in("b", b, {n, k}).poison<double>("d", {m, n}).s32(n).s32(k)
        .expect("d", d, {m, n}).note("a chain of fma in the order of k").write();
}
