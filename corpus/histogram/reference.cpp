#include "case.h"

int main() {
    const size_t size = 20000;
    Random random{8};
    std::vector<uint8_t> bytes(size);
    std::vector<uint32_t> counts(256);
    for (uint8_t &byte : bytes) byte = uint8_t(random.integer(0, 15) * random.integer(0, 17));   // uneven on purpose
    for (uint8_t byte : bytes) counts[byte]++;
    Case("histogram").grid(5).block(128).in("bytes", bytes).zeros<uint32_t>("counts", {256}).s32(size / 4).expect("counts", counts).write();
}
