#include <algorithm>
#include <numeric>

#include "case.h"

int main() {
    const size_t blocks = 2, count = 256;
    Random random{74};
    std::vector<float> keys(blocks * count), sorted;
    std::vector<int32_t> places(keys.size());
    for (size_t i = 0; i < keys.size(); i++) keys[i] = float(int(i) * 37 % 1009) - 500;   // all different
    for (size_t i = keys.size() - 1; i > 0; i--) std::swap(keys[i], keys[random.next() % (i + 1)]);
    for (size_t block = 0; block < blocks; block++) {
        auto first = places.begin() + long(block * count), last = first + count;
        std::iota(first, last, 0);
        std::sort(first, last, [&](int a, int b) { return keys[block * count + size_t(a)] < keys[block * count + size_t(b)]; });
        for (auto place = first; place < last; place++) sorted.push_back(keys[block * count + size_t(*place)]);
    }
    Case("bitonic_sort").grid(blocks).block(count / 2).in("keys", keys).poison<int32_t>("places", {places.size()})
        .expect("keys", sorted).expect("places", places).write();
}
