#include <algorithm>

#include "case.h"

int main() {
    const int width = 45, height = 37, filter[] = {1, 6, 15, 20, 15, 6, 1};
    auto image = Random{77}.integers<uint8_t>(width * height, 0, 255);
    std::vector<uint8_t> out;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int dy = -3; dy <= 3; dy++) {
                for (int dx = -3; dx <= 3; dx++) {
                    sum += filter[dy + 3] * filter[dx + 3] * image[size_t(std::clamp(y + dy, 0, height - 1) * width + std::clamp(x + dx, 0, width - 1))];
                }
            }
            out.push_back(uint8_t((sum + 2048) >> 12));
        }
    }
    Case("convolution").grid(3, 3).block(16, 16).in("image", image, {height, width}).poison<uint8_t>("out", {height, width}).s32(width).s32(height)
        .expect("out", out, {height, width}).write();
}
