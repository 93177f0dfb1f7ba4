#include "case.h"

int main() {
    const size_t count = 128;
    Random random{71};
    std::vector<int64_t> a(count), b(count);
    std::vector<uint64_t> out;
    for (size_t i = 0; i < count; i++) {
        a[i] = int64_t(random.next()) >> (i * 5 % 61), b[i] = int64_t(random.next()) >> (i * 11 % 59);
        if (b[i] == 0 || b[i] == -1) b[i] = 5;
    }
    a[0] = INT64_MIN, a[1] = INT64_MAX, b[2] = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        int64_t x = a[i], y = b[i];
        uint64_t u = uint64_t(x), v = uint64_t(y);
        int32_t s = int32_t(x), t = int32_t(y);
        unsigned __int128 product = (unsigned __int128)u * v;
        uint64_t high = uint64_t(((int64_t(s) * t) >> 32));
        for (uint64_t result : {
                 u * v, uint64_t(((__int128)x * y) >> 64), uint64_t(product >> 64), uint64_t(x / y), uint64_t(x % y), u / v, u % v,
                 uint64_t(x / 1000003 + x % -77 + s / 13 + int64_t(uint32_t(x) % 1001)),
                 uint64_t(int64_t(int32_t(high))) + (uint64_t(uint32_t(x)) * uint32_t(y) >> 32),
                 uint64_t(int64_t(s) * t) + uint64_t(uint32_t(x)) * uint32_t(y >> 32),
                 uint64_t(int64_t(s / (t | 1))), uint64_t(uint32_t(x) % uint32_t(t | 1)),
                 uint64_t((product + u + v) >> 64) ^ uint64_t(product + u + v),
                 uint64_t(x >> (y & 63)) ^ u >> (y >> 6 & 63) ^ u << (y >> 12 & 63)}) {
            out.push_back(result);
        }
    }
    Case("integer_64").grid(2).block(64).in("a", a).in("b", b).poison<uint64_t>("out", {count, 14}).s32(count).expect("out", out, {count, 14}).write();
}
