#include <algorithm>

#include "case.h"

static uint32_t hanoi(int disks, int from, int to, uint32_t hash) {
    if (disks == 0) return hash;
    int spare = 3 - from - to;
    return hanoi(disks - 1, spare, to, hanoi(disks - 1, from, spare, hash) * 31 + uint32_t(from * 3 + to));
}

int main() {
    const int threads = 32, count = 24;
    auto values = Random{54}.integers<int32_t>(threads * count, -500, 500);
    auto sorted = values;
    std::vector<uint32_t> numbers;
    for (int thread = 0; thread < threads; thread++) {
        uint32_t n = uint32_t(thread / 3);
        numbers.push_back(thread % 3 == 0 ? n + 1 : thread % 3 == 1 ? n + 2 : 2 * n + 3);   // Ackermann's function for m = 0, 1, 2
        numbers.push_back(hanoi(thread % 6, 0, 2, 17));
        std::sort(sorted.begin() + thread * count, sorted.begin() + (thread + 1) * count);
    }
    Case("recursion").block(threads).in("values", values, {threads, count}).poison<uint32_t>("numbers", {threads, 2}).poison<int32_t>("sorted", {threads, count})
        .expect("numbers", numbers, {threads, 2}).expect("sorted", sorted, {threads, count}).write();
}
