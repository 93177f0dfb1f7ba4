#include "case.h"

int main() {
    const size_t threads = 32, stride = 80;
    auto in = Random{107}.integers<int8_t>(threads * stride, -128, 127);
    std::vector<int8_t> out(in.size());
    for (size_t i = 0; i < threads; i++) {
        std::copy(in.begin() + long(i * stride), in.begin() + long(i * stride + 63), out.begin() + long(i * stride));
        out[i * stride + 63] = int8_t(-in[i * stride + 63]);
        uint32_t own[4], other[4], sum = 0, words[4];
        std::memcpy(own, &in[i * stride + 64], 16);
        std::memcpy(other, &in[(i ^ 1) * stride + 64], 16);
        for (int k = 0; k < 4; k++) sum = sum * 3 + (i % 3 == 0 ? other : own)[k];
        words[0] = sum, words[1] = own[0] ^ own[1] ^ own[2] ^ own[3], words[2] = i % 3 == 0, words[3] = i % 3 != 0;
        std::memcpy(&out[i * stride + 64], words, 16);
    }
    Case("vector_loads").block(threads).in("in", in, {threads, stride}).poison<int8_t>("out", {threads, stride}).s32(stride).expect("out", out, {threads, stride}).write();
}
