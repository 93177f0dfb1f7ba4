#include "case.h"

/// The other order of the same numbers.
template <typename T> static std::vector<T> transposed(const std::vector<T> &rows, size_t columns) {
    std::vector<T> result(rows.size());
    for (size_t i = 0; i < rows.size(); i++) result[i % columns * (rows.size() / columns) + i / columns] = rows[i];
    return result;
}

int main() {
    const size_t m = 64, n = 128, k = 96;
    Random random{411};
    auto a = random.integers<bf16>(m * k, -8, 8), b = random.integers<bf16>(n * k, -8, 8);
    Case("wgmma_bf16_majors").grid(n / 64, m / 64).block(128)
        .tensorMap("a", transposed(a, k), {m, k}, {64, 32}, 128).tensorMap("b", transposed(b, k), {n, k}, {32, 32}, 64)
        .poison<float>("d", {m, n}).s32(n).s32(k)
        .expect("d", multiply<float>(a, b, m, n, k), {m, n}).write();
}
