#include <algorithm>

#include "case.h"

int main() {
    const size_t count = 64;
    Random random{109};
    std::vector<int32_t> a, b, out;
    for (size_t i = 0; i < count; i++) a.push_back(int32_t(random.next())), b.push_back(int32_t(random.next()));
    for (size_t i = 0; i < count; i++) {
        int32_t x = a[i], y = b[i], place = int32_t(i);
        uint32_t u = uint32_t(x), v = uint32_t(y);
        auto byte = [](uint32_t word, int k) { return word >> 8 * k & 255; };
        auto half = [](uint32_t word, int k) { return word >> 16 * k & 65535; };
        int64_t four = 7, mixed = place, low = place, high = -place;
        uint32_t four_unsigned = 9, low_unsigned = 0;
        for (int k = 0; k < 4; k++) {
            four += int8_t(byte(u, k)) * int8_t(byte(v, k)), four_unsigned += byte(u, k) * byte(v, k), mixed += int64_t(byte(u, k)) * int8_t(byte(v, k));
        }
        for (int k = 0; k < 2; k++) {
            low += int16_t(half(u, k)) * int8_t(byte(v, k)), high += int16_t(half(u, k)) * int8_t(byte(v, k + 2)), low_unsigned += half(u, k) * byte(v, k);
        }
        int64_t x24 = int32_t(u << 8) >> 8, y24 = int32_t(v << 8) >> 8, top = int64_t(x) * y >> 32;
        for (int64_t result : {four, int64_t(four_unsigned), low, high, int64_t(low_unsigned), x24 * y24, int64_t(uint64_t(u & 0xffffff) * (v & 0xffffff)), mixed,
                               top + place, int64_t(u * v + uint32_t(place)), std::clamp<int64_t>(top + 0x7ffffff0, INT32_MIN, INT32_MAX),
                               int64_t(int16_t(u)) * int16_t(v)}) {
            out.push_back(int32_t(result));
        }
    }
    Case("dot_products").grid(2).block(32).in("a", a).in("b", b).poison<int32_t>("out", {count, 12}).s32(count).expect("out", out, {count, 12}).write();
}
