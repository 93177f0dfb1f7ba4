#include "case.h"

int main() {
    const size_t rounds = 9;
    Random random{65};
    std::vector<uint32_t> words(rounds * 32), out;
    for (uint32_t &word : words) word = uint32_t(random.next());
    for (uint32_t thread = 32; thread < 96; thread++) {
        uint32_t hash = thread;
        for (size_t round = 0; round < rounds; round++) {
            for (size_t i = 0; i < 32; i++) hash = hash * 33 + words[round * 32 + (thread + i) % 32];
        }
        out.push_back(hash);
    }
    Case("ring").block(96).in("words", words, {rounds, 32}).poison<uint32_t>("out", {64}).s32(rounds).expect("out", out).write();
}
