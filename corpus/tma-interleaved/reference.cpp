#include "case.h"

/// Images of slices of rows of pixels of so many channels.
static void pooled(const std::string &entry, const std::string &file, size_t channels, int swizzle) {
    const size_t width = 21, height = 10, slices = 3, images = 2, bytes = channels * 2;
    auto in = Random{480 + channels}.integers<f16>(images * slices * height * width * channels, -9, 9);
    std::vector<f16> out(in.size());
    for (size_t i = 0; i < in.size(); i++) {
        long channel = long(i % channels), x = long(i / channels % width), y = long(i / channels / width % height);
        size_t plane = i / channels / width / height;
        float largest = -100;
        for (long row = y - 1; row <= y + 1; row++) {
            for (long column = x - 1; column <= x + 1; column++) {
                bool inside = row >= 0 && row < long(height) && column >= 0 && column < long(width);
                float value = inside ? float(in[((plane * height + size_t(row)) * width + size_t(column)) * channels + size_t(channel)]) : 0;
                if (value > largest) largest = value;
            }
        }
        out[i] = f16(largest);
    }
    std::string strides = "[" + std::to_string(width * bytes) + "," + std::to_string(height * width * bytes) + "," + std::to_string(slices * height * width * bytes) + "]";
    std::vector<size_t> packed = {channels, width, height, slices * images}, shape = {width, height, slices, images};
    auto fields = [&](const std::string &box) {
        return "\"strides\":" + strides + ",\"box\":" + box + ",\"interleave\":" + std::to_string(bytes) + ",\"swizzle\":" + std::to_string(swizzle);
    };
    std::string suffix = "_" + std::to_string(bytes);
    Case(entry, file).grid(2, 3, unsigned(slices * images)).block(64).tensorMapOf("in" + suffix, in, packed, shape, fields("[24,6,1,1]"))
        .tensorMapOf("out" + suffix, std::vector<f16>(in.size()), packed, shape, fields("[16,4,1,1]"))
        .s32(int(slices)).expect("out" + suffix, out, {images * slices, height, width, channels}).write();
}

int main() {
    pooled("pool_16", "launch.json", 8, 0);
    pooled("pool_32", "launch-32.json", 16, 32);
}
