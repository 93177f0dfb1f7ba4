#include "case.h"

int main() {
    const size_t width = 120, height = 100;
    Random random{1006};
    std::vector<uint8_t> pixels;
    std::vector<uint32_t> counts(3 * 256);
    for (size_t i = 0; i < width * height; i++) {   // a soft gradient with noise: neighbours often share a bin
        size_t x = i % width, y = i / width;
        uint8_t channels[] = {uint8_t(x + size_t(random.integer(0, 3))), uint8_t(255 - y), uint8_t((x + y) / 16 * 16), 255};
        for (size_t channel = 0; channel < 3; channel++) counts[channel * 256 + channels[channel]]++;
        pixels.insert(pixels.end(), channels, channels + 4);
    }
    Case("histogram_rgb").grid(6).block(128).shared(4 * 3 * 256 * 4).in("pixels", pixels, {height, width, 4}).zeros<uint32_t>("counts", {3, 256}).s32(width * height / 4)
        .expect("counts", counts, {3, 256}).write();
}
