#include <algorithm>

#include "case.h"

int main() {
    const size_t queries = 64, keys = 192, width = 64;
    Random random{422};
    auto q = random.reals<f16>(queries * width, -1, 1), k = random.reals<f16>(keys * width, -1, 1);
    auto v = random.reals<f16>(keys * width, 1, 2);   // no cancellation: errors stay relative
    const float scale = 0.18f;                        // log2(e) / 8
    std::vector<float> out;
    for (size_t row = 0; row < queries; row++) {
        std::vector<double> weights(keys), result(width);
        double total = 0;
        for (size_t key = 0; key < keys; key++) {
            double s = 0;
            for (size_t i = 0; i < width; i++) s += double(q[row * width + i]) * double(k[key * width + i]);
            total += weights[key] = std::exp2(s * double(scale));
        }
        for (size_t key = 0; key < keys; key++) {
            for (size_t i = 0; i < width; i++) result[i] += weights[key] / total * double(v[key * width + i]);
        }
        for (double value : result) out.push_back(float(value));
    }
    Case("wgmma_attention").grid(queries / 64).block(128)
        .tensorMap("q", q, {width, queries}, {64, 64}, 128).tensorMap("k", k, {width, keys}, {64, 64}, 128)
        .tensorMap("v", v, {width, keys}, {64, 64}, 128).poison<float>("out", {queries, width}).s32(int(keys)).f32(scale)
        .expectRelative("out", out, 5e-4, {queries, width})
        .note("weights are rounded to f16 (2^-11 each), exponentials and the quotient are approximate").write();
}
