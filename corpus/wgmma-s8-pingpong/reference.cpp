#include "case.h"

int main() {
    const size_t m = 128, n = 64, k = 128;   // four outputs, two for each warpgroup
    Random random{414};
    auto a = random.integers<int8_t>(m * k, -128, 127), b = random.integers<int8_t>(n * k, -128, 127);
    Case("wgmma_s8_pingpong").block(288)
        .tensorMap("a", a, {k, m}, {64, 64}, 64).tensorMap("b", b, {k, n}, {64, 32}, 64)
        .poison<int32_t>("d", {m, n}).s32(m).s32(n).s32(k)
        .expect("d", multiply<int32_t>(a, b, m, n, k), {m, n}).write();
}
