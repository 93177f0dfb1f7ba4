#include <algorithm>
#include <climits>

#include "case.h"

int main() {
    const size_t m = 64, n = 32, k = 192;
    Random random{415};
    auto a = random.integers<int>(m * k, -8, 7);
    auto b = random.integers<uint8_t>(n * k, 0, 255);
    std::vector<uint32_t> packed(m * k / 8);
    for (size_t row = 0; row < m; row++) {
        for (size_t i = 0; i < k; i++) {   // column 32 s + 16 high + 4 t + byte
            size_t word = i / 32 * 4 + i / 4 % 4, shift = i % 4 * 8 + i / 16 % 2 * 4;
            packed[row * k / 8 + word] |= uint32_t(a[row * k + i] + 8) << shift;
        }
    }
    // some rows begin so near the largest and the smallest number that sums saturate, product after product along k
    std::vector<int32_t> start, d;
    for (size_t row = 0; row < m; row++) start.push_back(row % 3 == 0 ? 0 : row % 3 == 1 ? INT_MAX - 3000 : INT_MIN + 3000);
    for (size_t row = 0; row < m; row++) {
        for (size_t column = 0; column < n; column++) {
            long sum = start[row];
            for (size_t first = 0; first < k; first += 32) {
                for (size_t i = first; i < first + 32; i++) sum += long(a[row * k + i]) * b[column * k + i];
                sum = std::clamp(sum, long(INT_MIN), long(INT_MAX));
            }
            d.push_back(int32_t(sum));
        }
    }
    Case("wgmma_u8_dequantised").grid(n / 32, m / 64).block(128).in("a", packed, {m, k / 8}).tensorMap("b", b, {k, n}, {64, 32}, 64)
        .in("start", start).poison<int32_t>("d", {m, n}).s32(n).s32(k).expect("d", d, {m, n}).write();
}
