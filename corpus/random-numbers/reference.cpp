#include "case.h"

int main() {
    const uint32_t threads = 128, seed = 2463534242u;
    const int points = 50;
    std::vector<uint32_t> words, turned;
    uint32_t inside = 0;
    uint64_t state = seed;
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t c[4] = {i, 0, 0, 7}, key[2] = {seed, 42};
        for (int round = 0; round < 10; round++) {
            uint64_t p = uint64_t(0xd2511f53u) * c[0], q = uint64_t(0xcd9e8d57u) * c[2];
            uint32_t next[4] = {uint32_t(q >> 32) ^ c[1] ^ key[0], uint32_t(q), uint32_t(p >> 32) ^ c[3] ^ key[1], uint32_t(p)};
            std::copy(next, next + 4, c);
            key[0] += 0x9e3779b9u, key[1] += 0xbb67ae85u;
        }
        words.insert(words.end(), c, c + 4);
        uint32_t x = seed ^ (i * 0x9e3779b9u + 1);
        auto step = [&] { x ^= x << 13, x ^= x >> 17, x ^= x << 5; return uint64_t(x >> 16); };
        for (int point = 0; point < points; point++) {
            uint64_t a = step(), b = step();
            inside += a * a + b * b < uint64_t(1) << 32;
        }
        uint32_t shifted = uint32_t((state >> 18 ^ state) >> 27), rotation = uint32_t(state >> 59);
        turned.push_back(shifted >> rotation | shifted << (-rotation & 31));
        for (int steps = 0; steps < 1000003; steps++) state = state * 6364136223846793005u + 1442695040888963407u;   // the long way
    }
    Case("random_numbers").grid(2).block(64).poison<uint32_t>("words", {threads, 4}).poison<uint32_t>("turned", {threads}).zeros<uint32_t>("inside", {1}).u32(seed).s32(points)
        .expect("words", words, {threads, 4}).expect("turned", turned).expect("inside", std::vector<uint32_t>{inside}).write();
}
