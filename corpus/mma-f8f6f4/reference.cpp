#include "case.h"

template <typename A, typename B>
static void run(const std::string &entry, const std::string &file, const std::string &suffix, int shift) {
    const size_t m = 16, n = 16, k = 96;
    Random random{98};
    std::vector<A> a;
    std::vector<B> b;
    for (size_t i = 0; i < m * k; i++) a.push_back(A(float(random.integer(-3, 3))));
    for (size_t i = 0; i < n * k; i++) b.push_back(B(float(random.integer(-4, 4))));
    std::vector<uint8_t> bytes_a, bytes_b;
    for (A value : a) bytes_a.push_back(value.bits);
    for (B value : b) bytes_b.push_back(uint8_t(value.bits << shift));
    Case(entry, file).grid(n / 8, m / 16).block(32).in("a" + suffix, bytes_a, {m, k}).in("b" + suffix, bytes_b, {n, k}).poison<float>("d" + suffix, {m, n})
        .s32(n).s32(k / 4).expect("d" + suffix, multiply<float>(a, b, m, n, k), {m, n}).write();
}

int main() {
    run<e2m3, e2m1>("mma_e2m3_e2m1", "launch.json", "", 2);
    run<e3m2, e5m2>("mma_e3m2_e5m2", "launch-e3m2.json", "_e3m2", 0);
}
