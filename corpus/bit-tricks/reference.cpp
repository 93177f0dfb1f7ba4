#include "case.h"

static uint32_t reversed(uint32_t word) {
    uint32_t result = 0;
    for (int bit = 0; bit < 32; bit++) result |= (word >> bit & 1) << (31 - bit);
    return result;
}

static uint32_t field(uint32_t word, int position, int length) {   // of a signed number: past bit 31 stands its sign
    uint32_t result = 0;
    if (length == 0) return 0;
    for (int bit = 0; bit < 32; bit++) {
        int from = position + std::min(bit, length - 1);
        result |= (word >> std::min(from, 31) & 1) << bit;
    }
    return result;
}

int main() {
    const size_t count = 64;
    Random random{66};
    std::vector<uint32_t> a(count), b(count), out;
    for (size_t i = 0; i < count; i++) a[i] = uint32_t(random.next()), b[i] = uint32_t(random.next()) >> i % 32;
    a[5] = 0, a[6] = b[6] = 0, a[7] = 1, b[8] = 0x80000000;
    for (size_t i = 0; i < count; i++) {
        uint32_t x = a[i], y = b[i], s = uint32_t(i) & 31;
        uint64_t wide = uint64_t(x) << 32 | y, swapped = uint64_t(y) << 32 | x;
        uint32_t permuted = 0;
        for (int byte = 0; byte < 4; byte++) {
            uint32_t selector = y >> (7 + 4 * byte) & 7;   // the intrinsic uses three bits of each nibble
            permuted |= uint32_t(swapped >> 8 * selector & 0xff) << 8 * byte;
        }
        uint64_t turned = uint64_t(reversed(y)) << 32 | reversed(x);
        uint32_t inserted = y;
        for (uint32_t bit = 0; bit < (x >> 8 & 15) && bit + (x & 31) < 32; bit++) {
            uint32_t place = 1u << (bit + (x & 31));
            inserted = x >> bit & 1 ? inserted | place : inserted & ~place;
        }
        uint32_t bytes = 0, halves = 0, greater = 0;
        for (int byte = 0; byte < 4; byte++) {
            uint32_t p = x >> 8 * byte & 255, q = y >> 8 * byte & 255;
            bytes |= ((p + q) & 255) << 8 * byte;
            greater |= (p > q ? 255u : 0u) << 8 * byte;
        }
        for (int half = 0; half < 2; half++) {
            uint32_t p = x >> 16 * half & 65535, q = y >> 16 * half & 65535;
            halves |= (p > q ? p - q : q - p) << 16 * half;
        }
        uint32_t up = y & 63, down = y >> 6 & 63;
        for (uint32_t result : {
                 uint32_t(__builtin_popcount(x)), uint32_t(__builtin_popcountll(wide)), reversed(x), x == 0 ? 32u : uint32_t(__builtin_clz(x)),
                 wide == 0 ? 64u : uint32_t(__builtin_clzll(wide)), uint32_t(__builtin_ffs(int(x))), uint32_t(__builtin_ffsll(int64_t(wide))), permuted,
                 uint32_t(swapped << s >> 32), uint32_t(swapped >> s), uint32_t(i >= 32 ? x : swapped << i >> 32), uint32_t(turned >> 17),
                 field(x, int(y & 31), int(y >> 5 & 31)), inserted, up > 31 ? 0 : x << up, uint32_t(int32_t(x) >> std::min(down, 31u)),
                 x ^ y ^ uint32_t(i), y == 0 ? ~0u : 31 - uint32_t(__builtin_clz(y)), (x > y ? x - y : y - x) + 7, bytes ^ halves ^ greater}) {
            out.push_back(result);
        }
    }
    Case("bit_tricks").grid(2).block(32).in("a", a).in("b", b).poison<uint32_t>("out", {count, 20}).s32(count).expect("out", out, {count, 20}).write();
}
