#include "case.h"

int main() {
    const int blocks = 2, threads = 96;
    auto values = Random{81}.integers<int32_t>(blocks * threads, 0, 99);
    std::vector<int32_t> results;
    for (int thread = 0; thread < blocks * threads; thread++) {
        const int32_t *warp = &values[size_t(thread / 32 * 32)], *block = &values[size_t(thread / threads * threads)];
        int lane = thread % 32, value = values[size_t(thread)], sum = 0, prefix = 0, highest = 0, labelled = 0, total = 0;
        uint32_t matching = 0;
        for (int other = 0; other < 32; other++) {
            sum += warp[other];
            prefix += other <= lane ? warp[other] : 0;
            highest = other / 4 == lane / 4 ? std::max(highest, warp[other]) : highest;
            labelled += warp[other] % 3 == value % 3 ? warp[other] : 0;
            matching |= uint32_t(warp[other] % 5 == value % 5) << other;
        }
        for (int other = 0; other < threads; other++) total += block[other];
        for (int result : {sum, highest, prefix, warp[lane / 4 * 4 + 3] + lane / 4 * 1000, int(matching), labelled, value % 2 != 0 ? value : 0, total}) {
            results.push_back(result);
        }
    }
    size_t count = values.size();
    Case("groups").grid(blocks).block(threads).in("values", values).poison<int32_t>("results", {count, 8}).expect("results", results, {count, 8}).write();
}
