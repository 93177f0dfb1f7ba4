#include "case.h"

int main() {
    const int blocks = 3, threads = 192;
    auto values = Random{4}.integers<int32_t>(blocks * threads, -1000, 1000);
    std::vector<int32_t> sums(values.size());
    for (size_t i = 0; i < values.size(); i++) sums[i] = values[i] + (i % threads == 0 ? 0 : sums[i - 1]);
    Case("scan_block").grid(blocks).block(threads).in("values", values).poison<int32_t>("sums", {values.size()})
        .expect("sums", sums).write();
}
