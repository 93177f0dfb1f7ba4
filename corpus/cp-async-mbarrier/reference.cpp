#include <algorithm>

#include "case.h"

int main() {
    const size_t vectors = 1000, tile = 128, copiers = 64, tiles = (vectors + tile - 1) / tile;
    auto in = Random{445}.integers<uint32_t>(vectors * 4, 0, 1 << 30);
    std::vector<uint32_t> out;
    for (size_t thread = 0; thread < copiers; thread++) {
        uint32_t sum[4] = {};
        for (size_t i = 0; i < tiles; i++) {
            for (size_t j = thread; j < tile; j += copiers) {
                size_t at = i * tile + (j * 5 + 1) % tile;
                auto word = [&](size_t k) { return at < vectors ? in[at * 4 + k] : 0; };
                sum[0] += word(0), sum[1] ^= word(1), sum[2] = std::max(sum[2], word(2)), sum[3] = sum[3] * 31 + word(3);
            }
        }
        out.insert(out.end(), sum, sum + 4);
    }
    Case("cp_async_mbarrier").block(128).in("in", in, {vectors, 4}).poison<uint32_t>("out", {copiers, 4}).s32(vectors).expect("out", out, {copiers, 4}).write();
}
