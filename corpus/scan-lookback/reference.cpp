#include "case.h"

int main() {
    const int count = 1500, blocks = (count + 127) / 128;
    auto values = Random{5}.integers<uint32_t>(count, 0, 100000);
    std::vector<uint32_t> sums(count);
    for (int i = 0; i < count; i++) sums[i] = values[i] + (i == 0 ? 0 : sums[i - 1]);
    Case("scan_lookback").grid(blocks).block(128)
        .in("values", values).poison<uint32_t>("sums", {count}).zeros<uint32_t>("ticket", {1}).zeros<uint64_t>("states", {size_t(blocks)}).s32(count)
        .expect("sums", sums).write();
}
