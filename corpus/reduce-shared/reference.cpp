#include "case.h"

int main() {
    const int count = 1000, threads = 128, blocks = (count + threads - 1) / threads;
    auto values = Random{1}.reals<float>(count, -1, 1);
    std::vector<float> sums;
    for (int block = 0; block < blocks; block++) {
        std::vector<float> partial(threads);
        for (int i = 0; i < threads && block * threads + i < count; i++) partial[i] = values[block * threads + i];
        for (int width = threads / 2; width > 0; width /= 2) {
            for (int i = 0; i < width; i++) partial[i] += partial[i + width];
        }
        sums.push_back(partial[0]);
    }
    Case("reduce_shared").grid(blocks).block(threads)
        .in("values", values).poison<float>("sums", {size_t(blocks)}).s32(count)
        .expect("sums", sums).note("the reference adds in the kernel's order").write();
}
