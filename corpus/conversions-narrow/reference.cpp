#include "case.h"

static uint32_t word(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
}

/// The nearest number of the format, ties to the even code, too large ones to the largest finite.
template <typename Tiny> static Tiny nearest(float value, int codes) {
    Tiny best;
    for (int code = 0; code < codes; code++) {
        Tiny candidate;
        candidate.bits = uint8_t(code | (std::signbit(value) ? 0x80 : 0));
        double distance = std::fabs(double(float(candidate)) - value), least = std::fabs(double(float(best)) - value);
        if (code == 0 || distance < least || (distance == least && code % 2 == 0)) best = candidate;
    }
    return best;
}

int main() {
    const size_t count = 64;
    Random random{105};
    std::vector<float> values;
    for (size_t i = 0; i < 2 * count; i++) values.push_back(float(std::ldexp(random.real(-1, 1), random.integer(-12, 10))));
    values[0] = 17, values[1] = 19, values[2] = 448, values[3] = 465, values[4] = -1e6f, values[5] = -0.0f, values[6] = 1.00048828125f, values[7] = 1.0009765625f;
    std::vector<uint32_t> out;
    for (size_t i = 0; i < count; i++) {
        float x = values[2 * i], y = values[2 * i + 1];
        auto truncated = [](float value) { return value < 0 || std::signbit(value) ? 0u : word(value) >> 16; };
        e4m3 small[] = {nearest<e4m3>(x, 0x7f), nearest<e4m3>(y, 0x7f)};     // 0x7f is NaN
        e5m2 coarse[] = {nearest<e5m2>(x, 0x7c), nearest<e5m2>(y, 0x7c)};    // 0x7c is infinity
        out.push_back((word(x) + 0x1000) & ~0x1fffu);                        // ties away from zero
        out.push_back(uint32_t(bf16(x).bits) << 16 | bf16(y).bits);
        out.push_back(truncated(x) << 16 | truncated(y));
        out.push_back(small[0].bits | uint32_t(small[1].bits) << 8);
        out.push_back(coarse[0].bits | uint32_t(coarse[1].bits) << 8);
        out.push_back(word(float(small[0]) + 2 * float(small[1])));
    }
    Case("conversions_narrow").grid(2).block(32).in("values", values, {count, 2}).poison<uint32_t>("out", {count, 6}).s32(count).expect("out", out, {count, 6})
        .note("8-bit floats: saturating, as the C++ types convert; on sm_80 a library routine, from sm_89 an instruction").write();
}
