#include <algorithm>

#include "case.h"

int main() {
    const size_t blocks = 4, threads = 64;
    auto in = Random{432}.integers<uint32_t>(blocks * threads * 4, 0, 1 << 30);
    std::vector<uint32_t> out;
    for (size_t rank = 0; rank < blocks; rank++) {
        for (size_t thread = 0; thread < threads; thread++) {
            auto of = [&](size_t round, size_t i) { return in[((rank + blocks - round) % blocks * threads + thread) * 4 + i]; };
            uint32_t x = of(0, 0), y = of(0, 1), z = of(0, 2), w = of(0, 3);
            for (size_t round = 1; round < blocks; round++) {   // what comes in round r began r blocks before
                x += of(round, 0), y ^= of(round, 1), z = std::min(z, of(round, 2)), w = w * 3 + of(round, 3);
            }
            out.insert(out.end(), {x, y, z, w});
        }
    }
    Case("st_async_ring").grid(4).block(64).cluster(4).in("in", in, {blocks, threads, 4}).poison<uint32_t>("out", {blocks, threads, 4})
        .expect("out", out, {blocks, threads, 4}).write();
}
