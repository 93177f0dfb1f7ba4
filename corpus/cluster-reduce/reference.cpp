#include <algorithm>

#include "case.h"

int main() {
    const size_t blocks = 16, each = 300;
    Random random{430};
    auto values = random.integers<float>(blocks * each, 1, 100000);
    std::vector<uint32_t> out;
    for (size_t cluster = 0; cluster < blocks / 8; cluster++) {
        double sum = 0;
        float largest = 0;
        for (size_t i = 0; i < 8 * each; i++) sum += double(values[cluster * 8 * each + i]), largest = std::max(largest, values[cluster * 8 * each + i]);
        uint32_t words[2], top;
        std::memcpy(words, &sum, 8);
        std::memcpy(&top, &largest, 4);
        out.insert(out.end(), {words[0], words[1], top, 1});
        for (int rank = 0; rank < 8; rank++) out.push_back(8 * 9 / 2);
    }
    Case("cluster_reduce").grid(blocks).block(128).cluster(8).in("values", values, {blocks, each}).poison<uint32_t>("out", {blocks / 8, 12}).s32(each)
        .expect("out", out, {blocks / 8, 12}).write();
}
