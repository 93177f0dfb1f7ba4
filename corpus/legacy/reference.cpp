#include "case.h"

int main() {
    Random random{112};
    std::vector<uint32_t> in(32), out;
    for (uint32_t &word : in) word = uint32_t(random.next());
    const uint32_t weights[] = {1, 10, 100, 1000};
    uint32_t odd = 0;
    for (size_t lane = 0; lane < 32; lane++) odd |= (in[lane] & 1) << lane;
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t word = in[lane], other = in[31 - lane], sum = 0;
        for (uint32_t i = 0; i < 8; i++) sum += in[lane / 8 * 8 + i];
        uint32_t chosen = int32_t(other) >= 0 ? word : lane, bytes = (word & 255) + (other >> 24), mask = bytes > 255 ? ~0u : 0;
        for (uint32_t result : {sum, odd, word * weights[lane % 4], lane + 7 + uint32_t((uint64_t(word) + 0xf0000000u) >> 32), other, '0' + chosen % 10,
                                bytes ^ (word % 2 == 0 ? ~mask : mask), lane % 3 == 0 ? 11u : lane % 3 == 1 ? 55u : 33u}) {
            out.push_back(result);
        }
    }
    Case("legacy").block(32).in("in", in).poison<uint32_t>("out", {32, 8}).expect("out", out, {32, 8}).write();
}
