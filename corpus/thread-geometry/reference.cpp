#include "case.h"

struct Box {
    uint8_t tag;
    int16_t offsets[3];
    double weight;
    int32_t extent[3];
    uint32_t padding;
};

int main() {
    const size_t nx = 9, ny = 7, nz = 5;
    Box box{200, {1, -2, 3}, 0.375, {nx, ny, nz}, 0};
    std::vector<int32_t> places;
    std::vector<double> weights;
    for (int z = 0; z < int(nz); z++) {
        for (int y = 0; y < int(ny); y++) {
            for (int x = 0; x < int(nx); x++) {
                places.push_back((x + 1) * 10000 + (y - 2) * 100 + z + 3 + 3 * 3 * 2);
                weights.push_back(0.375 * 200 + ((z % 3) * 3 + y % 3) * 4 + x % 4);
            }
        }
    }
    Case("thread_geometry").grid(3, 3, 2).block(4, 3, 3).bytes(&box, sizeof box).poison<int32_t>("places", {nz, ny, nx}).poison<double>("weights", {nz, ny, nx})
        .expect("places", places, {nz, ny, nx}).expect("weights", weights, {nz, ny, nx}).write();
}
