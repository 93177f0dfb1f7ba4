#include <algorithm>

#include "case.h"

using Sizes = std::vector<size_t>;

/// A box of words 1, 8, 15 ... combined with the elements of a tensor, those outside left out.
template <typename Combine>
static void store(const std::string &entry, const std::string &name, const Sizes &shape, const Sizes &box, const std::vector<int> &start, Combine combine) {
    size_t count = 1, words = 1;
    for (size_t extent : shape) count *= extent;
    for (size_t extent : box) words *= extent;
    auto values = Random{count + words}.integers<uint32_t>(count, 0, 12000), result = values;
    for (size_t i = 0; i < words; i++) {
        size_t rest = i, stride = 1, index = 0;
        bool inside = true;
        for (size_t axis = 0; axis < box.size(); axis++) {
            long at = start[axis] + long(rest % box[axis]);
            rest /= box[axis];
            inside = inside && at >= 0 && at < long(shape[axis]);
            index += size_t(at) * stride;
            stride *= shape[axis];
        }
        if (inside) result[index] = combine(values[index], uint32_t(7 * i + 1));
    }
    Case launch(entry, "launch-" + name + ".json");
    launch.block(64).tensorMap(name, values, shape, box, 0).s32(int(words));
    for (int place : start) launch.s32(place);
    launch.expect(name, result, {shape.rbegin(), shape.rend()}).write();
}

int main() {
    auto replace = [](uint32_t, uint32_t word) { return word; };
    store("store1", "one", {100}, {32}, {80}, replace);
    store("store3", "three", {20, 6, 5}, {8, 4, 3}, {16, 4, 1}, replace);
    store("store4", "four", {12, 5, 4, 3}, {8, 3, 2, 2}, {8, 1, 3, 1}, replace);
    store("store5", "five", {8, 4, 3, 3, 2}, {4, 2, 2, 2, 2}, {4, 1, 2, 1, 0}, replace);
    auto reduce = [](const std::string &name, auto combine) { store("reduce_" + name, name, {20, 6, 5}, {16, 5, 4}, {8, 3, 2}, combine); };
    reduce("add", [](uint32_t old, uint32_t word) { return old + word; });
    reduce("min", [](uint32_t old, uint32_t word) { return std::min(old, word); });
    reduce("max", [](uint32_t old, uint32_t word) { return std::max(old, word); });
    reduce("inc", [](uint32_t old, uint32_t word) { return old >= word ? 0 : old + 1; });
    reduce("dec", [](uint32_t old, uint32_t word) { return old == 0 || old > word ? word : old - 1; });
    reduce("and", [](uint32_t old, uint32_t word) { return old & word; });
    reduce("or", [](uint32_t old, uint32_t word) { return old | word; });
    reduce("xor", [](uint32_t old, uint32_t word) { return old ^ word; });
}
