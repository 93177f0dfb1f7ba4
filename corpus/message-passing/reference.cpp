#include "case.h"

int main() {
    const size_t blocks = 6;
    auto letters = Random{111}.integers<int32_t>(blocks * 32, 0, 1000);
    auto out = letters;
    for (size_t block = 0; block + 1 < blocks; block++) {
        for (size_t i = 0; i < 32; i++) out[(block + 1) * 32 + (i + 1) % 32] = out[block * 32 + i] * 3 + int(block);
    }
    Case("message_passing").grid(blocks).block(32).in("letters", letters).zeros<uint32_t>("flags", {blocks}).poison<int32_t>("out", {letters.size()}).expect("out", out)
        .note("a block waits for the one before it: blocks with lower numbers must be able to run to their end").write();
}
