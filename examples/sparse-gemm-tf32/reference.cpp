// usage: reference [SIZE]    the checked case of SIZE x SIZE x SIZE; without a size the small one and the one for timing
#include "sparse.h"

static void checked(size_t m, size_t n, size_t k, const std::string &file, const std::string &suffix) {
    Random random{1003};
    Sparse sparse = makeSparseTf32(random, m, k, -100, 100);
    auto b = random.integers<float>(n * k, -100, 100);
    auto words = metadata(sparse, Supply::TWO_OF_FOUR_HALVES, 16);
    Case("sparse_gemm_tf32", file).grid(n / 64, m / 64).block(128)
        .in("a" + suffix, as<float>(sparse.kept), {m, k / 2}).in("metadata" + suffix, words, {m / 16, words.size() / (m / 16)}).in("b" + suffix, as<float>(b), {n, k})
        .poison<float>("d" + suffix, {m, n}).s32(n).s32(k).expect("d" + suffix, multiply<float>(sparse.full, b, m, n, k), {m, n})
        .note("D = A * B with a 2:4 sparse A; every sum is exact in any order").write();
}

int main(int count, char **arguments) {
    if (count > 1) {
        size_t size = std::stoul(arguments[1]);
        checked(size, size, size, "launch-checked.json", "-checked");
        return 0;
    }
    checked(128, 64, 96, "launch.json", "");
    const size_t size = 1024;
    Case("sparse_gemm_tf32", "launch-1024.json").grid(size / 64, size / 64).block(128)
        .random<float>("a", {size, size / 2}, 1, -1, 1).random<uint32_t>("metadata", {size / 16, size / 32 * 32}, 2, 0x44444444, 0x44444444)
        .random<float>("b", {size, size}, 3, -1, 1).poison<float>("d", {size, size}).s32(size).s32(size)
        .note("for timing: random numbers, each pair keeps its first element (metadata 0x4444), which the tensor cores read as tf32; reference.cpp makes a checked case of any size").write();
}
