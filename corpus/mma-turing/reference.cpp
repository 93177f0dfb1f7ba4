#include "case.h"

int main() {
    Random random{94};
    auto halves = random.integers<f16>(24 * 8, -5, 5);
    auto bytes = random.integers<uint8_t>(16 * 16, 0, 255);
    std::vector<float> wide;
    std::vector<f16> narrow;
    std::vector<int32_t> s8, u4;
    for (size_t row = 0; row < 16; row++) {
        for (size_t column = 0; column < 8; column++) {
            float sum = 0;
            for (size_t i = 0; i < 8; i++) sum += float(halves[row * 8 + i]) * float(halves[(16 + column) * 8 + i]);
            wide.push_back(sum + float(1 + column % 2 + row / 8 * 2));
            narrow.push_back(f16(sum + (row < 8 ? 1 : -1)));
            if (row >= 8) continue;
            int bytewise = 5 + int(column % 2), nibblewise = 0;
            for (size_t i = 0; i < 16; i++) {
                uint8_t p = bytes[row * 16 + i], q = bytes[(8 + column) * 16 + i];
                bytewise += int8_t(p) * q;
                nibblewise += (p & 15) * (q & 15) + (p >> 4) * (q >> 4);
            }
            s8.push_back(bytewise);
            u4.push_back(nibblewise);
        }
    }
    s8.insert(s8.end(), u4.begin(), u4.end());
    Case("mma_turing").block(32).in("halves", halves, {24, 8}).in("bytes", bytes, {16, 16}).poison<float>("wide", {16, 8}).poison<f16>("narrow", {16, 8})
        .poison<int32_t>("integers", {2, 8, 8}).expect("wide", wide, {16, 8}).expect("narrow", narrow, {16, 8}).expect("integers", s8, {2, 8, 8}).write();
}
