#include "case.h"

int main() {
    const size_t width = 14, height = 9, images = 2, channels = 64, filters = 64, count = images * height * width;
    auto in = Random{470}.integers<f16>(count * channels, -3, 3);
    auto weights = Random{471}.integers<f16>(filters * 9 * channels, -2, 2);
    std::vector<float> out(count * filters);
    for (size_t pixel = 0; pixel < count; pixel++) {
        long x = long(pixel % width), y = long(pixel / width % height);
        size_t image = pixel / (width * height);
        for (size_t filter = 0; filter < filters; filter++) {
            float sum = 0;
            for (long tap = 0; tap < 9; tap++) {
                long column = x + tap % 3 - 1, row = y + tap / 3 - 1;
                if (column < 0 || column >= long(width) || row < 0 || row >= long(height)) continue;
                const f16 *pixels = &in[((image * height + size_t(row)) * width + size_t(column)) * channels];
                const f16 *taps = &weights[(filter * 9 + size_t(tap)) * channels];
                for (size_t channel = 0; channel < channels; channel++) sum += float(pixels[channel]) * float(taps[channel]);
            }
            out[pixel * filters + filter] = sum;
        }
    }
    Case("wgmma_conv_im2col").grid(unsigned(count + 63) / 64).block(128)
        .tensorMapOf("images", in, {channels, width, height, images}, {channels, width, height, images},
                     "\"columns\":{\"lower\":[-1,-1],\"upper\":[-1,-1],\"channels\":64,\"pixels\":64},\"swizzle\":128")
        .tensorMap("filters", weights, {9 * channels, filters}, {64, 64}, 128)
        .poison<float>("out", {count, filters}).s32(int(width)).s32(int(height)).s32(int(count)).expect("out", out, {count, filters}).write();
}
