#include "case.h"

int main() {
    Random random{93};
    std::vector<uint32_t> a(16 * 8), b(8 * 8);   // rows of A, columns of B: 256 bits each
    for (uint32_t &word : a) word = uint32_t(random.next());
    for (uint32_t &word : b) word = uint32_t(random.next());
    std::vector<int32_t> d;
    for (int kind = 0; kind < 4; kind++) {
        for (size_t row = 0; row < 16; row++) {
            for (size_t column = 0; column < 8; column++) {
                int sum = kind;
                for (size_t word = 0; word < 8; word++) {
                    uint32_t x = a[row * 8 + word], y = b[column * 8 + word];
                    if (kind == 2) sum += __builtin_popcount(x ^ y);
                    if (kind == 3) sum += __builtin_popcount(x & y);
                    for (int nibble = 0; kind < 2 && nibble < 8; nibble++) {
                        int p = int(x >> 4 * nibble & 15), q = int(y >> 4 * nibble & 15);
                        sum += (kind == 0 && p > 7 ? p - 16 : p) * (q > 7 ? q - 16 : q);
                    }
                }
                d.push_back(sum);
            }
        }
    }
    Case("mma_integer").block(32).in("a", a, {16, 8}).in("b", b, {8, 8}).poison<int32_t>("d", {4, 16, 8}).expect("d", d, {4, 16, 8}).write();
}
