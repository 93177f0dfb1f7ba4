#include "case.h"

int main() {
    const int warps = 2;
    Random random{51};
    auto words = random.integers<int32_t>(32 * warps, 0, 9);
    std::vector<int32_t> results;
    for (int warp = 0; warp < warps; warp++) {
        const int32_t *word = &words[warp * 32];
        uint32_t odd = 0, even = 0;
        bool any = false;
        for (int lane = 0; lane < 32; lane++) {
            odd |= uint32_t(word[lane] & 1) << lane;
            any |= word[lane] == 3;
        }
        even = ~odd;
        for (int lane = 0; lane < 32; lane++) {
            uint32_t equal = 0;
            for (int other = 0; other < 32; other++) equal |= uint32_t(word[other] == word[lane]) << other;
            bool isEven = even >> lane & 1;
            for (int32_t result : {
                     word[5], word[lane * 3 & 31], word[lane / 8 * 8 + 1],
                     word[lane < 3 ? lane : lane - 3], word[lane % 16 < 3 ? lane : lane - 3],
                     word[lane % 8 + 5 > 7 ? lane : lane + 5], word[lane ^ 21], int32_t(1000000007LL * word[lane ^ 7] >> 13),
                     any * 2 + 1, int32_t(odd), int32_t(equal), -1, 1,
                     isEven ? word[__builtin_ctz(even)] + __builtin_popcount(even & ((1u << lane) - 1)) : -1,
                     lane < 8 ? word[lane ^ 4] : 0, lane == 31 ? word[31] : word[30 - lane]}) {
                results.push_back(result);
            }
        }
    }
    size_t rows = words.size();
    Case("warp_intrinsics").grid(warps).block(32).in("words", words).poison<int32_t>("results", {rows, 16}).expect("results", results, {rows, 16}).write();
}
