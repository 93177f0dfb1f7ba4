#include "case.h"

int main() {
    const int rounds = 5;
    auto values = Random{110}.integers<int32_t>(rounds * 64, -1000, 1000);
    std::vector<int32_t> out;
    int positive = 0;
    for (int thread = 0; thread < 64; thread++) {
        int sum = 0;
        for (int round = 0; round < rounds; round++) sum += values[size_t(round * 64 + 63 - thread)] * (round + 1);
        positive += sum > 0;
        out.push_back(sum);
    }
    out.insert(out.end(), {positive, 1, 0});
    Case("named_barriers").block(128).in("values", values, {rounds, 64}).poison<int32_t>("out", {67}).s32(rounds).expect("out", out).write();
}
