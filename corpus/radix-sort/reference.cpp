#include <algorithm>

#include "case.h"

int main() {
    const size_t blocks = 2, count = 512;
    auto keys = Random{75}.integers<uint32_t>(blocks * count, 0, 4095);
    auto sorted = keys;
    for (size_t block = 0; block < blocks; block++) std::sort(sorted.begin() + long(block * count), sorted.begin() + long((block + 1) * count));
    Case("radix_sort").grid(blocks).block(count).in("keys", keys).s32(12).expect("keys", sorted).write();
}
