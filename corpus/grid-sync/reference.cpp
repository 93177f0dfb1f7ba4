#include "case.h"

int main() {
    const size_t width = 40, height = 24;
    const int steps = 6;
    auto one = Random{443}.integers<float>(width * height, 0, 1000);
    std::vector<float> from = one, to(one.size());
    std::vector<int32_t> changed(steps + 1);
    for (int step = 0; step < steps; step++) {
        for (size_t i = 0; i < from.size(); i++) {
            size_t x = i % width, y = i / width;
            bool inner = x > 0 && y > 0 && x < width - 1 && y < height - 1;
            to[i] = inner ? 0.25f * ((from[i - 1] + from[i + 1]) + (from[i - width] + from[i + width])) : from[i];
            changed[size_t(step)] += to[i] != from[i];
        }
        std::swap(from, to);
    }
    for (size_t step = 1; step < size_t(steps); step++) changed[size_t(steps)] += changed[step];
    Case("grid_sync").grid(5).block(64).cooperative().in("one", one, {height, width}).poison<float>("other", {height, width})
        .zeros<int32_t>("changed", {changed.size()}).s32(width).s32(height).s32(steps)
        .expect("one", from, {height, width}).expect("other", to, {height, width}).expect("changed", changed).write();
}
