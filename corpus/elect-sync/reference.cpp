#include "case.h"

int main() {
    Random random{446};
    std::vector<uint32_t> masks{0xffffffff, 1, 0x80000000, 0xaaaaaaaa, 0x00ff0000, 0x80000001};
    while (masks.size() < 24) {
        if (auto mask = uint32_t(random.next()); mask != 0) masks.push_back(mask);
    }
    std::vector<uint32_t> out, copied;
    for (uint32_t mask : masks) {
        for (int lane = 0; lane < 32; lane++) out.push_back(mask >> lane & 1 ? 3 : 0);   // one elected, and all right
    }
    auto in = random.integers<uint32_t>(256, 0, 1 << 20);
    for (size_t i = 0; i < 128; i++) copied.push_back(in[(3 - i / 32) * 64 + i % 32] + in[(3 - i / 32) * 64 + i % 32 + 32]);
    Case("elect_sync").block(128).in("masks", masks).poison<uint32_t>("out", {masks.size(), 32}).in("in", in).poison<uint32_t>("copied", {128})
        .s32(int(masks.size())).expect("out", out, {masks.size(), 32}).expect("copied", copied).write();
}
