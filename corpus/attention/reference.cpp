#include "case.h"

int main() {
    const size_t queries = 32, keys = 48, depth = 32;
    const float scale = 0.25f;
    Random random{85};
    auto q = random.reals<f16>(queries * depth, -1, 1), k = random.reals<f16>(keys * depth, -1, 1), v = random.reals<f16>(keys * depth, 1, 2);
    std::vector<float> out;
    for (size_t query = 0; query < queries; query++) {
        std::vector<double> weights(keys);
        double total = 0;
        for (size_t key = 0; key < keys; key++) {
            double score = 0;
            for (size_t i = 0; i < depth; i++) score += double(q[query * depth + i]) * double(k[key * depth + i]);
            total += weights[key] = std::exp2(score * scale);
        }
        for (size_t i = 0; i < depth; i++) {
            double sum = 0;
            for (size_t key = 0; key < keys; key++) sum += weights[key] / total * double(v[key * depth + i]);
            out.push_back(float(sum));
        }
    }
    Case("attention").grid(queries / 16).block(32).in("queries", q, {queries, depth}).in("keys", k, {keys, depth}).in("values", v, {keys, depth})
        .poison<float>("out", {queries, depth}).s32(keys).f32(scale)
        .expectRelative("out", out, 1e-3, {queries, depth}).note("the weights are rounded to f16 before the second product; the values lie in 1..2").write();
}
