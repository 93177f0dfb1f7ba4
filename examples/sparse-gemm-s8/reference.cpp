// usage: reference [SIZE]    the checked case of SIZE x SIZE x SIZE; without a size the small one and the one for timing
#include "sparse.h"

static void checked(size_t m, size_t n, size_t k, const std::string &file, const std::string &suffix) {
    Random random{1002};
    Sparse sparse = makeSparse(random, m, k, -128, 127, 1, Order::ASCENDING);
    auto b = random.integers<float>(n * k, -128, 127);
    auto words = metadata(sparse, Supply::ALL_LANES, 64);
    Case("sparse_gemm_s8", file).grid(n / 64, m / 64).block(128)
        .in("a" + suffix, as<int8_t>(sparse.kept), {m, k / 2}).in("metadata" + suffix, words, {m / 16, words.size() / (m / 16)}).in("b" + suffix, as<int8_t>(b), {n, k})
        .poison<int32_t>("d" + suffix, {m, n}).s32(n).s32(k).expect("d" + suffix, multiply<int32_t>(sparse.full, b, m, n, k), {m, n})
        .note("D = A * B with a 2:4 sparse A; every sum is exact in any order").write();
}

int main(int count, char **arguments) {
    if (count > 1) {
        size_t size = std::stoul(arguments[1]);
        checked(size, size, size, "launch-checked.json", "-checked");
        return 0;
    }
    checked(128, 64, 256, "launch.json", "");
    const size_t size = 1024;
    Case("sparse_gemm_s8", "launch-1024.json").grid(size / 64, size / 64).block(128)
        .random<int8_t>("a", {size, size / 2}, 1, -128, 127).random<uint32_t>("metadata", {size / 16, size / 64 * 32}, 2, 0x44444444, 0x44444444)
        .random<int8_t>("b", {size, size}, 3, -128, 127).poison<int32_t>("d", {size, size}).s32(size).s32(size)
        .note("for timing: random numbers, each group keeps its first two elements (metadata 0x4444); reference.cpp makes a checked case of any size").write();
}
