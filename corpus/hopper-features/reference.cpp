#include "case.h"

int main() {
    const size_t blocks = 2;
    Random random{96};
    std::vector<uint32_t> words(blocks * 256), out;
    for (uint32_t &word : words) word = uint32_t(random.next());
    for (size_t block = 0; block < blocks; block++) {
        const uint32_t *in = &words[block * 256];
        std::vector<uint16_t> matrices(256);   // four of 8 x 8, by rows
        for (size_t matrix = 0; matrix < 4; matrix++) {
            for (size_t lane = 0; lane < 32; lane++) {
                for (size_t half = 0; half < 2; half++) {
                    // transposed: the lane's pair stands in column lane / 4
                    matrices[matrix * 64 + (lane % 4 * 2 + half) * 8 + lane / 4] = uint16_t(in[matrix * 32 + lane] >> 16 * half);
                }
            }
        }
        for (size_t i = 0; i < 128; i++) out.push_back((matrices[2 * i] | uint32_t(matrices[2 * i + 1]) << 16) ^ in[128 + i]);
        for (size_t i = 0; i < 128; i++) out.push_back(in[i] + 1);
    }
    Case("hopper_features").grid(blocks).block(128).in("words", words).poison<uint32_t>("out", {words.size()}).expect("out", out).write();
}
