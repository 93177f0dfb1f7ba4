#include "case.h"

int main() {
    const int blocks = 2, threads = 64, rounds = 3, total = blocks * threads * rounds;
    Case("spin_lock").grid(blocks).block(threads).zeros<int32_t>("lock", {1}).zeros<int32_t>("account", {1}).zeros<int32_t>("log", {total}).s32(rounds)
        .expect("lock", std::vector<int32_t>{0}).expect("account", std::vector<int32_t>{total}).expect("log", std::vector<int32_t>(total, 1)).write();
}
