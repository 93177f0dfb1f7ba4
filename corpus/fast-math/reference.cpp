#include <algorithm>

#include "case.h"

int main() {
    const size_t count = 96;
    auto values = Random{73}.reals<float>(count, -5, 5);
    std::vector<float> out;
    for (float value : values) {
        double x = value, positive = std::fabs(value) + 0.25f;
        for (double result : {std::exp2(x), std::log2(positive + 1), std::sin(positive * 0.25), std::cos(x * 0.1), 1 / positive, 1 / std::sqrt(positive),
                              std::sqrt(positive), std::tanh(x), x / positive, std::exp(x), std::log(positive + 1), std::pow(positive, 1.5),
                              positive / 3 + 1 / positive, std::clamp(x * 0.125 + 0.5, 0.0, 1.0)}) {
            out.push_back(float(result));
        }
    }
    Case("fast_math").grid(3).block(32).in("values", values).poison<float>("out", {count, 14}).s32(count)
        .expectRelative("out", out, 6e-4, {count, 14})
        .note("the reference works in f64; tanh.approx is the coarsest, with a relative error of 2^-11; the rest lies within a few 1e-6").write();
}
