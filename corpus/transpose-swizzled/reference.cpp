#include "case.h"

int main() {
    const size_t width = 64;
    auto values = Random{7}.integers<uint32_t>(width * width, 0, 1 << 30);
    std::vector<uint32_t> turned(values.size());
    for (size_t i = 0; i < values.size(); i++) turned[i % width * width + i / width] = values[i];
    Case("transpose_swizzled").grid(2, 2).block(256).in("in", values, {width, width}).poison<uint32_t>("out", {width, width}).s32(width)
        .expect("out", turned, {width, width}).write();
}
