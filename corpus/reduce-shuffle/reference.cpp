#include "case.h"

int main() {
    const int count = 3000, blocks = 3;
    auto integers = Random{2}.integers<int>(count, -100000, 100000);
    std::vector<double> values(integers.begin(), integers.end()), sums(blocks), total(1);
    for (int i = 0; i < count; i++) {
        sums[i / 256 % blocks] += values[i];   // sums of integers: exact in any order
        total[0] += values[i];
    }
    Case("reduce_shuffle").grid(blocks).block(256)
        .in("values", values).poison<double>("sums", {blocks}).zeros<double>("total", {1}).s32(count)
        .expect("sums", sums).expect("total", total).write();
}
