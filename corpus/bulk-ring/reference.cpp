#include <algorithm>

#include "case.h"

int main() {
    const size_t blocks = 4, count = 128;
    // above 3, so that four increments never wrap whatever their order
    auto in = Random{434}.integers<int32_t>(blocks * count, 4, 100000);
    for (size_t i = 0; i < in.size(); i += 3) in[i] = -in[i];
    std::vector<int32_t> out, reduced;
    for (size_t rank = 0; rank < blocks; rank++) {
        for (size_t round = 1; round < blocks; round++) {
            for (size_t i = 0; i < count; i++) out.push_back(in[(rank + blocks - round) % blocks * count + i]);
        }
    }
    auto fold = [&](auto combine, int32_t start) {
        for (size_t i = 0; i < count; i++) {
            int32_t value = start;
            for (size_t rank = 0; rank < blocks; rank++) value = combine(value, in[rank * count + i]);
            reduced.push_back(value);
        }
    };
    fold([](int32_t a, int32_t b) { return a + b; }, 0);
    fold([](int32_t a, int32_t b) { return std::min(a, b); }, 0x7fffffff);
    fold([](int32_t a, int32_t b) { return std::max(a, b); }, int32_t(0x80000000));
    fold([](int32_t a, int32_t b) { return a | b; }, 0);
    fold([](int32_t a, int32_t b) { return uint32_t(a) >= uint32_t(b) ? 0 : a + 1; }, 0);
    Case("bulk_ring").grid(4).block(128).cluster(4).in("in", in, {blocks, count}).poison<int32_t>("out", {blocks, blocks - 1, count})
        .poison<int32_t>("reduced", {5, count}).expect("out", out, {blocks, blocks - 1, count}).expect("reduced", reduced, {5, count}).write();
}
