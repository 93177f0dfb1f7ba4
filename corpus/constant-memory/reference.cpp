#include <algorithm>

#include "case.h"

int main() {
    const size_t threads = 64, length = 20;
    auto bytes = Random{57}.integers<uint8_t>(threads * length, 0, 255);
    const std::string letters = "The quick brown fox jumps over the lazy dog";
    const double weights[] = {0.0625, 0.25, 0.375, 0.25, 0.0625};
    std::vector<uint32_t> checks;
    std::vector<double> smooth;
    for (size_t i = 0; i < threads; i++) {
        uint32_t check = ~0u;
        double sum = 0;
        for (size_t k = 0; k < length; k++) {
            check ^= uint32_t(bytes[i * length + k] ^ uint8_t(letters[(i + k) % letters.size()]));
            for (int bit = 0; bit < 8; bit++) check = check >> 1 ^ (check & 1 ? 0xedb88320u : 0);
            if (k < 5) sum += weights[k] * bytes[i * length + k];   // exact
        }
        checks.push_back(~check);
        smooth.push_back(i % 2 == 0 ? std::clamp(sum - 100, -50.0, 50.0) * 0.5 : std::clamp(sum - 100, -20.0, 90.0) * 2);
    }
    Case("constant_memory").block(threads).in("bytes", bytes, {threads, length}).poison<uint32_t>("checks", {threads}).poison<double>("smooth", {threads})
        .s32(length).expect("checks", checks).expect("smooth", smooth).write();
}
