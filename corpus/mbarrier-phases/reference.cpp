#include "case.h"

int main() {
    const size_t threads = 64;
    auto in = Random{444}.integers<uint32_t>(threads, 0, 1 << 30), own = in;
    for (uint32_t phase = 0; phase < 5; phase++) {
        auto values = own;
        size_t there = phase <= 2 ? threads : threads / 2, stay = phase < 2 ? threads : threads / 2;
        for (size_t i = 0; i < stay; i++) own[i] = (own[i] * 1664525 + 1013904223) ^ (values[(i + 1) % there] + phase);
    }
    // a phase that is not over, the one before it; what the first sees in each phase; a barrier of three, and that its phase is over
    std::vector<uint32_t> observed{0, 1, 64, 64, 64, 32, 32, 3, 1};
    Case("mbarrier_phases").block(64).in("in", in).poison<uint32_t>("out", {threads}).poison<uint32_t>("observed", {observed.size()})
        .expect("out", own).expect("observed", observed).write();
}
