#include "case.h"

int main() {
    const size_t blocks = 40, threads = 64;
    auto in = Random{472}.integers<float>(blocks * threads, -1000, 1000);
    std::vector<float> out;
    for (float value : in) out.push_back(value * value - 1);
    Case("launch_control").grid(blocks).block(threads).in("in", in, {blocks, threads}).poison<float>("out", {blocks, threads}).zeros<uint32_t>("times", {blocks})
        .expect("out", out, {blocks, threads}).expect("times", std::vector<uint32_t>(blocks, 1)).write();
}
