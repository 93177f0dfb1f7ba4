#include "case.h"

int main() {
    const size_t count = 150;
    auto keys = Random{58}.integers<float>(count, -40, 40);
    std::vector<double> sums;
    std::vector<int32_t> ranks;
    for (size_t i = 0; i < count; i++) {
        int rank = 0;
        double sum = 0;
        for (size_t k = 0; k < count; k++) {
            rank += keys[k] < keys[i] || (keys[k] == keys[i] && k < i);
            if (keys[k] > 0) sum += double(keys[(k + i) % count]) * keys[(k + i) % count];
        }
        ranks.push_back(rank);
        sums.push_back(sum);
    }
    Case("dynamic_shared").block(64).shared(count * 13).in("keys", keys).poison<double>("sums", {count}).poison<int32_t>("ranks", {count}).s32(count)
        .expect("sums", sums).expect("ranks", ranks).write();
}
