#include "case.h"

int main() {
    const int count = 500;
    Random random{101};
    std::vector<int32_t> values(count);
    std::vector<uint8_t> seen(count + 1);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        values[size_t(i)] = random.integer(0, 2) == 0 ? i + 1 : -i;
        if (values[size_t(i)] > 0) seen[size_t(values[size_t(i)])] = 1, kept++;
    }
    Case("compaction").grid(4).block(128).in("values", values).poison<int32_t>("kept", {count}).zeros<uint8_t>("seen", {count + 1}).zeros<int32_t>("kept_count", {1})
        .s32(count).expect("seen", seen).expect("kept_count", std::vector<int32_t>{kept}).note("kept holds the same values in an order that the warps decide: not compared").write();
}
