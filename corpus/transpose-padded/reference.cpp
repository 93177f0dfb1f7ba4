#include "case.h"

template <typename T>
static void transpose(const std::string &entry, const std::string &file, const std::string &in, const std::string &out, size_t words) {
    const size_t width = 45, height = 70;
    auto values = Random{6}.integers<T>(width * height * words, -1000, 1000);
    std::vector<T> turned(values.size());
    for (size_t row = 0; row < height; row++) {
        for (size_t column = 0; column < width; column++) {
            for (size_t word = 0; word < words; word++) {
                turned[(column * height + row) * words + word] = values[(row * width + column) * words + word];
            }
        }
    }
    Case(entry, file).grid(2, 3).block(32, 8).in(in, values, {height, width, words}).template poison<T>(out, {width, height, words}).s32(width).s32(height)
        .expect(out, turned, {width, height, words}).write();
}

int main() {
    transpose<float>("_Z16transpose_paddedIfEvPKT_PS0_ii", "launch.json", "in", "out", 1);
    transpose<int16_t>("_Z16transpose_paddedIsEvPKT_PS0_ii", "launch-short.json", "in_short", "out_short", 1);
    transpose<double>("_Z16transpose_paddedI7double2EvPKT_PS1_ii", "launch-double2.json", "in_double2", "out_double2", 2);
}
