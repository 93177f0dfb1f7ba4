#include <algorithm>

#include "case.h"

int main() {
    const size_t length = 1500;
    auto bytes = Random{433}.integers<uint8_t>(length, 0, 255);
    std::vector<uint32_t> counts(256), extremes{~0u, 0, ~0u, 0, ~0u, 0, ~0u, 0};
    for (uint32_t i = 0; i < length; i++) {
        size_t owner = bytes[i] / 64;
        counts[bytes[i]]++;
        extremes[owner * 2] = std::min(extremes[owner * 2], i);
        extremes[owner * 2 + 1] ^= i * 0x9e3779b9u;
    }
    Case("red_async_histogram").grid(4).block(96).cluster(4).in("bytes", bytes).poison<uint32_t>("counts", {256}).poison<uint32_t>("extremes", {4, 2}).s32(length)
        .expect("counts", counts).expect("extremes", extremes, {4, 2}).write();
}
