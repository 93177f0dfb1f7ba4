#include <algorithm>

#include "case.h"

int main() {
    Random random{102};
    auto a = random.integers<int32_t>(333, 0, 500), b = random.integers<int32_t>(540, 100, 900);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::vector<int32_t> out(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
    Case("merge").grid(2).block(64).in("a", a).in("b", b).poison<int32_t>("out", {out.size()}).s32(int(a.size())).s32(int(b.size())).expect("out", out).write();
}
