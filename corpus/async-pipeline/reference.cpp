#include "case.h"

int main() {
    const size_t blocks = 2, threads = 64, tiles = 7;
    auto rows = Random{64}.integers<int32_t>(blocks * tiles * threads * 4, -1000000000, 1000000000);
    std::vector<int64_t> sums;
    for (size_t block = 0; block < blocks; block++) {
        for (size_t thread = 0; thread < threads; thread++) {
            int64_t sum = 0;
            for (size_t tile = 0; tile < tiles; tile++) {
                const int32_t *four = &rows[((block * tiles + tile) * threads + threads - 1 - thread) * 4];
                sum += int64_t(four[0]) + 3 * int64_t(four[1]) - four[2] + int64_t(four[3]) * int64_t(tile + 1);
            }
            sums.push_back(sum);
        }
    }
    Case("async_pipeline").grid(blocks).block(threads).in("rows", rows, {blocks, tiles * threads * 4}).poison<int64_t>("sums", {blocks, threads}).s32(tiles)
        .expect("sums", sums, {blocks, threads}).write();
}
