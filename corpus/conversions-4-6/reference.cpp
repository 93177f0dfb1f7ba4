#include <algorithm>
#include <limits>

#include "case.h"

/// The code of the nearest number of a format, of two the one with an even code; NaN and what is too large give the largest.
template <typename T> static uint8_t nearest(float value, int bits, bool relu) {
    int sign = 1 << (bits - 1), best = 0;
    if (value != value) return uint8_t(sign - 1);
    if (relu && !(value > 0)) return 0;
    double size = std::min(std::fabs(double(value)), 1000.0);   // beyond every format, and exact
    for (int code = 0; code < sign; code++) {
        T number, at_best;
        number.bits = uint8_t(code), at_best.bits = uint8_t(best);
        double distance = std::fabs(double(float(number)) - size), least = std::fabs(double(float(at_best)) - size);
        if (distance < least || (distance == least && code % 2 == 0)) best = code;
    }
    return uint8_t(best | (std::signbit(value) ? sign : 0));
}

/// The exponent of a power of two at most (or at least) as large; 255 is NaN.
static uint8_t power(float value, bool up) {
    if (value != value) return 255;
    double size = std::fabs(double(value));
    int exponent = 0;
    while (exponent < 254 && std::ldexp(1.0, exponent + 1 - 127) <= size) exponent++;
    if (up && exponent < 254 && std::ldexp(1.0, exponent - 127) < size) exponent++;
    return uint8_t(exponent);
}

static uint32_t half(float value) {
    f16 number = f16(value);
    uint16_t bits;
    std::memcpy(&bits, &number, 2);
    return bits;
}

template <typename T> static float number(uint32_t code) {
    T value;
    value.bits = uint8_t(code);
    return float(value);
}

int main() {
    Random random{470};
    std::vector<float> values;
    for (int i = 0; i < 64; i++) values.push_back(float(random.integer(-128, 128)) / 16);   // ties and neighbours of every format
    for (int i = 0; i < 160; i++) values.push_back(float(std::ldexp(random.real(-1, 1), random.integer(-8, 6))));
    for (float special : {0.0f, -0.0f, 1e30f, -1e30f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(), 1e-39f, -3e-39f, 1e-45f, 28.0f, 30.0f, 7.5f, 7.75f, 6.0f, 5.0f}) {
        values.push_back(special);
    }
    std::vector<uint32_t> out;
    for (size_t i = 0; i < values.size(); i += 2) {
        float high = values[i], low = values[i + 1];
        auto pair = [&](auto convert, int width) { return uint32_t(convert(high)) << width | uint32_t(convert(low)); };
        uint32_t e2m1s = 0, e2m3s = 0, e3m2s = 0, powers = 0;
        out.push_back(e2m1s = pair([](float v) { return nearest<e2m1>(v, 4, false); }, 4));
        out.push_back(pair([](float v) { return nearest<e2m1>(v, 4, true); }, 4));
        out.push_back(e2m3s = pair([](float v) { return nearest<e2m3>(v, 6, false); }, 8));
        out.push_back(pair([](float v) { return nearest<e2m3>(v, 6, true); }, 8));
        out.push_back(e3m2s = pair([](float v) { return nearest<e3m2>(v, 6, false); }, 8));
        out.push_back(pair([](float v) { return nearest<e3m2>(v, 6, true); }, 8));
        out.push_back(powers = pair([](float v) { return power(v, false); }, 8));
        out.push_back(pair([](float v) { return power(v, true); }, 8));
        out.push_back(half(number<e2m1>(e2m1s >> 4)) << 16 | half(number<e2m1>(e2m1s & 15)));
        out.push_back(half(number<e2m3>(e2m3s >> 8)) << 16 | half(number<e2m3>(e2m3s & 255)));
        out.push_back(half(number<e3m2>(e3m2s >> 8)) << 16 | half(number<e3m2>(e3m2s & 255)));
        auto wide = [](uint32_t code) { return code == 255 ? 0x7fffu : code == 0 ? 0x40u : code << 7; };
        out.push_back(wide(powers >> 8) << 16 | wide(powers & 255));
    }
    Case("conversions_4_6").grid(4).block(32).in("values", values, {values.size() / 2, 2}).poison<uint32_t>("out", {values.size() / 2, 12})
        .s32(int(values.size() / 2)).expect("out", out, {values.size() / 2, 12}).write();
}
