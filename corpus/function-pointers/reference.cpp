#include "case.h"

int main() {
    const int threads = 64;
    auto codes = Random{55}.integers<int32_t>(threads, 0, 4095);
    std::vector<int32_t> results;
    for (int i = 0; i < threads; i++) {
        uint32_t value = uint32_t(i), other = uint32_t(i) + 3;
        for (int code = codes[i]; code != 0; code /= 4) {
            value = code % 4 == 0 ? value + other : code % 4 == 1 ? value - other : code % 4 == 2 ? value * other : (value ^ other) * 0x9e3779b1u;
        }
        results.push_back(int32_t(value));
        results.push_back(2 * i * (i % 2 == 0 ? i : int(value & 15)));
    }
    Case("function_pointers").block(threads).in("codes", codes).poison<int32_t>("results", {threads, 2}).expect("results", results, {threads, 2}).write();
}
