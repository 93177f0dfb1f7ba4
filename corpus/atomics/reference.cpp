#include <algorithm>

#include "case.h"

int main() {
    const size_t blocks = 2, threads = 96;
    auto values = Random{106}.integers<int32_t>(blocks * threads, -500, 500);
    std::vector<int32_t> before{5, 6, 7, 8, 9, 10, -1, 0, 12, 13, 14, 15, 0, 0, 1, 99, 0, 0}, integers = before;
    std::vector<uint64_t> wide_before(10), wide;
    wide_before[2] = uint64_t(INT64_MAX);
    wide = wide_before;
    float real = 0;
    double sum = 0;
    std::vector<f16> halves(2);
    uint32_t ring_up = 13, ring_down = 14, least = 9, most = 10;
    for (size_t thread = 0; thread < values.size(); thread++) {
        int32_t value = values[thread];
        size_t block = thread / threads;
        integers[0] += value, integers[1] -= value, integers[2] = std::min(integers[2], value), integers[3] = std::max(integers[3], value);
        least = std::min(least, uint32_t(value)), most = std::max(most, uint32_t(value));
        integers[6] &= value | 0xff00, integers[7] |= value & 0xf0f0, integers[8] ^= value * 77;
        ring_up = ring_up >= 100 ? 0 : ring_up + 1, ring_down = ring_down == 0 || ring_down > 60 ? 60 : ring_down - 1;
        integers[11] += 3, integers[14] += 5 << 16, integers[16 + block] += value;
        wide[0] += uint64_t(int64_t(value)), wide[1] = std::max(wide[1], uint64_t(int64_t(value)) & 0xffff);
        wide[2] = uint64_t(std::min(int64_t(wide[2]), int64_t(value) * (1 << 20))), wide[3] ^= uint64_t(int64_t(value)) * 0x100000001u;
        wide[4 + block] |= uint64_t(1) << (value & 63);
        wide[8 + block] = std::max(wide[8 + block], uint64_t(value & 0xfff) << 32 | (thread % threads));
        real += float(value), sum += value * 0.25;   // integers and quarters: exact in any order
        halves[0] = f16(float(halves[0]) + 1), halves[1] = f16(float(halves[1]) + float(value & 3));
    }
    integers[4] = int32_t(least), integers[5] = int32_t(most), integers[9] = int32_t(ring_up), integers[10] = int32_t(ring_down), integers[12] = integers[13] = 1;
    Case("atomics").grid(blocks).block(threads).in("values", values).in("integers", before).in("wide", wide_before).zeros<float>("reals", {1}).zeros<double>("doubles", {1})
        .zeros<f16>("halves", {2}).expect("integers", integers).expect("wide", wide).expect("reals", std::vector<float>{real}).expect("doubles", std::vector<double>{sum})
        .expect("halves", halves).write();
}
