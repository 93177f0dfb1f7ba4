#include "case.h"

int main() {
    const size_t size = 64;
    auto in = Random{431}.reals<float>(size * size, -1, 1);
    std::vector<float> out(size * size);
    for (size_t i = 0; i < size * size; i++) out[i % size * size + i / size] = in[i];
    Case("cluster_transpose").grid(4).block(64).cluster(4).in("in", in, {size, size}).poison<float>("out", {size, size}).expect("out", out, {size, size}).write();
}
