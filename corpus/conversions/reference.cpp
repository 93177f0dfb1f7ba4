#include <algorithm>
#include <cfenv>
#include <limits>

#include "case.h"

template <typename T> static int64_t clamped(double value) {   // out of range: the nearest end
    if (value <= double(std::numeric_limits<T>::min())) return int64_t(std::numeric_limits<T>::min());
    if (value >= double(std::numeric_limits<T>::max())) return int64_t(std::numeric_limits<T>::max());
    return int64_t(T(value));
}

template <typename To, typename From> static To rounded(int mode, From value) {
    std::fesetround(mode);
    volatile From input = value;
    volatile To output = To(input);
    std::fesetround(FE_TONEAREST);
    return output;
}

static int64_t bits(f16 value) {
    uint16_t word;
    std::memcpy(&word, &value, 2);
    return word;
}

static f16 halfTowardZero(float value) {
    f16 nearest = f16(value);
    uint16_t word = uint16_t(bits(nearest));
    if (std::fabs(float(nearest)) > std::fabs(value)) word--;   // infinity becomes the largest number
    std::memcpy(&nearest, &word, 2);
    return nearest;
}

int main() {
    Random random{104};
    std::vector<double> values{0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, 255.5, 256, 65504, 65519.9, 65520, 1e-8, 3e9, -3e9, 5e9, 32767.5, -40000, 5.9604645e-8, 2.98e-8, 6.1e-5};
    while (values.size() < 96) values.push_back(random.real(-1, 1) * std::ldexp(1, int(values.size()) % 32));
    std::vector<int64_t> integers;
    std::vector<double> floats;
    for (double x : values) {
        float y = float(x);
        double z = y;
        int64_t truncated = clamped<int32_t>(std::trunc(x));
        for (int64_t result : {
                 clamped<int32_t>(std::nearbyint(z)), clamped<int32_t>(std::trunc(z)), clamped<int32_t>(std::ceil(z)), clamped<int32_t>(std::floor(z)),
                 clamped<uint32_t>(std::nearbyint(z)), clamped<int32_t>(std::nearbyint(x)), clamped<int32_t>(std::ceil(x)), clamped<uint32_t>(std::trunc(x)),
                 int64_t(std::floor(z)), int64_t(std::nearbyint(x)), int64_t(std::fabs(x)),
                 int64_t(int8_t(truncated)) + 256 * int64_t(uint8_t(clamped<int32_t>(std::trunc(z)))), int64_t(int16_t(clamped<int32_t>(std::nearbyint(z)))),
                 bits(f16(y)), bits(halfTowardZero(y)), bits(f16(x)), clamped<uint8_t>(std::nearbyint(z)), clamped<int16_t>(double(truncated))}) {
            integers.push_back(result);
        }
        int64_t wide = int64_t(x * 1e9);
        float sum = float(f16(y * 0.001f)) + std::nearbyint(y) + std::trunc(y) + std::floor(y) + std::ceil(y);
        for (double result : {
                 double(float(x)), double(rounded<float>(FE_TOWARDZERO, x)), double(rounded<float>(FE_UPWARD, x)), double(rounded<float>(FE_DOWNWARD, x)),
                 double(float(wide)), rounded<double>(FE_TOWARDZERO, int64_t(uint64_t(wide) * 4097)), double(rounded<float>(FE_UPWARD, uint64_t(wide) * 3)),
                 double(rounded<float>(FE_TOWARDZERO, int32_t(wide))), double(uint32_t(wide)), double(sum)}) {
            floats.push_back(result);
        }
    }
    size_t count = values.size();
    Case("conversions").grid(3).block(32).in("values", values).poison<int64_t>("integers", {count, 18}).poison<double>("floats", {count, 10}).s32(int(count))
        .expect("integers", integers, {count, 18}).expect("floats", floats, {count, 10}).write();
}
