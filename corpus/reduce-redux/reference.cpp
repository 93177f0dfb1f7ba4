#include <algorithm>

#include "case.h"

int main() {
    const int rows = 4;
    Random random{3};
    std::vector<uint32_t> words(rows * 32), results;
    for (uint32_t &word : words) word = uint32_t(random.next());
    for (int row = 0; row < rows; row++) {
        const uint32_t *first = &words[row * 32], *last = first + 32;
        uint32_t add = 0, conjunction = ~0u, disjunction = 0, parity = 0, part = 0;
        int32_t low = INT32_MAX, high = INT32_MIN;
        for (const uint32_t *word = first; word < last; word++) {
            add += *word, conjunction &= *word | 0xf, disjunction |= *word & 0xff0000, parity ^= *word;
            low = std::min(low, int32_t(*word)), high = std::max(high, int32_t(*word));
            if (word - first < 8) part += *word;
        }
        for (uint32_t result : {add, *std::min_element(first, last), *std::max_element(first, last), uint32_t(low), uint32_t(high),
                                conjunction, disjunction, parity, part}) {
            results.push_back(result);
        }
    }
    Case("reduce_redux").grid(rows).block(32).in("rows", words, {rows, 32}).poison<uint32_t>("results", {rows, 9})
        .expect("results", results, {rows, 9}).write();
}
