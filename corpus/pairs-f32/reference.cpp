#include <cfenv>
#include <limits>

#include "case.h"

static const uint32_t NAN_BITS = 0x7fffffff;

static float number(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}
static uint32_t bits(float value) {
    uint32_t word;
    std::memcpy(&word, &value, 4);
    return word;
}
static float flush(float value, bool ftz) { return ftz && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value; }

/// One operation under a rounding of the host's processor.
template <typename Compute> static uint32_t rounded(int rounding, bool ftz, Compute compute) {
    std::fesetround(rounding);
    volatile float result = compute();
    std::fesetround(FE_TONEAREST);
    return result != result ? NAN_BITS : bits(flush(result, ftz));
}

static uint32_t extreme(std::vector<float> values, bool largest, bool ftz, bool nan, bool abs) {
    float best = std::numeric_limits<float>::quiet_NaN();
    for (float value : values) {
        if (abs) value = std::fabs(value);
        value = flush(value, ftz);
        if (value != value) {
            if (nan) return NAN_BITS;
            continue;
        }
        bool first = best != best, below = value < best || (value == best && std::signbit(value) && !std::signbit(best));
        bool above = value > best || (value == best && !std::signbit(value) && std::signbit(best));
        if (first || (largest ? above : below)) best = value;
    }
    return best != best ? NAN_BITS : bits(best);
}

int main() {
    Random random{471};
    std::vector<uint32_t> words;
    const uint32_t specials[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0x3f800000, 0xbf800000};
    for (int i = 0; i < 60 * 6; i++) words.push_back(random.integer(0, 3) == 0 ? specials[random.integer(0, 11)] : uint32_t(random.next()));
    for (int i = 0; i < 60 * 6; i++) words.push_back(bits(float(random.real(-4, 4))));
    std::vector<uint32_t> out, extremes;
    size_t count = words.size() / 6;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *w = &words[i * 6];
        for (int operation = 0; operation < 12; operation++) {
            for (int half = 0; half < 2; half++) {
                static const int roundings[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST, FE_TONEAREST,
                                                FE_DOWNWARD,  FE_TONEAREST,  FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_TONEAREST};
                bool ftz = operation == 2 || operation == 4 || operation == 7 || operation == 11;
                volatile float x = flush(number(w[half]), ftz), y = flush(number(w[2 + half]), ftz), z = flush(number(w[4 + half]), ftz);
                out.push_back(rounded(roundings[operation], ftz, [&] {
                    return operation < 3 ? x + y : operation < 5 ? x - y : operation < 8 ? x * y : std::fma(float(x), float(y), float(z));
                }));
            }
        }
        std::vector<float> three{number(w[0]), number(w[2]), number(w[4])};
        extremes.push_back(extreme(three, false, false, false, false));
        extremes.push_back(extreme(three, true, false, false, false));
        extremes.push_back(extreme(three, false, true, false, false));
        extremes.push_back(extreme(three, true, false, true, false));
        extremes.push_back(extreme(three, false, false, false, true));
        extremes.push_back(extreme(three, true, true, false, true));
        extremes.push_back(extreme(three, false, false, true, false));
        extremes.push_back(extreme(three, true, false, true, true));
    }
    Case("pairs_f32").grid(4).block(32).in("values", words, {count, 3, 2}).poison<uint32_t>("out", {count, 12, 2}).poison<uint32_t>("extremes", {count, 8})
        .s32(int(count)).expect("out", out, {count, 12, 2}).expect("extremes", extremes, {count, 8}).write();
}
