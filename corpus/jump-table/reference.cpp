#include "case.h"

static int run(int code, int value) {
    for (int round = 0; round < 6; round++) {
        int which = (code + round) % 12;
        if (which == 0) value += 17;
        if (which == 1) value ^= 0x55;
        if (which == 2) value *= 3;
        if (which == 2 || which == 3) value -= code;
        if (which == 4) value = value * 4 | 1;
        if (which == 6 || (which == 5 && value % 2 != 0 && !(code > 30 && value > 100))) value = -value;
        while (which == 7 && value > 1000) value /= 3;
        for (int k = 0; which == 8 && k < 10; k++) {
            if (k * k <= value) {
                value += k;
                if (value % 7 == 0) k = 10;
            }
        }
        if (which == 9) return value;
        if (which == 10) value = value / 5 + round;
        if (which == 11) value = ~value;
    }
    return value;
}

int main() {
    const int count = 150;
    auto codes = Random{108}.integers<int32_t>(count, 0, 60);
    std::vector<int32_t> results;
    for (int i = 0; i < count; i++) results.push_back(run(codes[size_t(i)], i + 1));
    Case("jump_table").grid(3).block(64).in("codes", codes).poison<int32_t>("results", {count}).s32(count).expect("results", results).write();
}
