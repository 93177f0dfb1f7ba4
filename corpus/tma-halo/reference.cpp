#include "case.h"

int main() {
    const size_t width = 40, height = 20, depth = 7;
    auto in = Random{440}.integers<float>(width * height * depth, -100, 100);
    auto at = [&](long x, long y, long z) {
        bool inside = x >= 0 && x < long(width) && y >= 0 && y < long(height) && z >= 0 && z < long(depth);
        return inside ? in[(size_t(z) * height + size_t(y)) * width + size_t(x)] : 0;
    };
    std::vector<float> out;
    for (long z = 0; z < long(depth); z++) {
        for (long y = 0; y < long(height); y++) {
            for (long x = 0; x < long(width); x++) {
                out.push_back(at(x, y, z - 1) + at(x, y, z + 1) + at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) - 6 * at(x, y, z));
            }
        }
    }
    Case("tma_halo").grid(2, 2).block(128).tensorMap("in", in, {width, height, depth}, {32, 16, 1}, 0)
        .tensorMap("out", std::vector<float>(in.size()), {width, height, depth}, {24, 14, 1}, 0).s32(depth).expect("out", out, {depth, height, width}).write();
}
