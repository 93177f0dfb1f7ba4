#include "case.h"

int main() {
    auto roots = Random{52}.integers<uint32_t>(128, 0, 65535);
    auto squares = roots;
    for (uint32_t &square : squares) square *= square;
    Case("checked_square_root").grid(2).block(64).in("squares", squares).poison<uint32_t>("roots", {128}).s32(128).expect("roots", roots).write();
}
