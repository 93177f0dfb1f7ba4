#include "case.h"

int main() {
    auto bytes = Random{97}.integers<uint8_t>(5000, 0, 255);
    std::vector<uint32_t> counts(256);
    for (uint8_t byte : bytes) counts[byte]++;
    Case("cluster_histogram").grid(4).block(128).cluster(4).in("bytes", bytes).poison<uint32_t>("counts", {256}).s32(5000).expect("counts", counts).write();
}
